package io.lockkeeper.testkit.sim;

import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What other keepers asked this one to give back. It sees to it that what was asked for is neither kept nor handed on, and
 * that nothing else is given up for it; and it knows the mistakes that can be planted here.
 */
final class SimRecalls {

    private final SimWorld world;
    private final SimKeeper keeper;
    private final StoreLink store;
    /** When word came about a grant that was here, by its claim. */
    private final Map<String, Moment> askedAt = new HashMap<>();
    /** For {@link PlantedBug#TAKEN_PAST_ITS_END}: what somebody took for the present. */
    private @Nullable Moment past;

    SimRecalls(SimWorld world, SimKeeper keeper, StoreLink store) {
        this.world = world;
        this.keeper = keeper;
        this.store = store;
    }

    void asked(ResourceEngine engine, String claimId) {
        Grant idle = idle(engine);
        if (idle != null && world.has(PlantedBug.SENT_BACK_IN_TWO_STEPS)) {
            sendFirst(engine, idle);
        } else if (idle == null && world.has(PlantedBug.KEPT_THOUGH_ASKED_FOR)) {
            note(engine, claimId);
        } else {
            tell(engine, idle, claimId);
        }
    }

    private void tell(ResourceEngine engine, @Nullable Grant idle, String claimId) {
        note(engine, claimId);
        boolean mistaken = idle != null && world.has(PlantedBug.ASKED_FOR_ANOTHER);
        engine.recall(mistaken && idle != null ? idle.id() : claimId);
        if (idle != null && idle.isIdle() == idle.id().equals(claimId)) {
            throw new Violation(
                    "I9",
                    keeper.id + " was asked for " + claimId + " and " + (idle.isIdle() ? "keeps " : "gave up ")
                            + idle.id());
        }
        keeper.perform(engine);
    }

    private void note(ResourceEngine engine, String claimId) {
        for (Grant grant : engine.grants()) {
            if (grant.id().equals(claimId)) {
                askedAt.putIfAbsent(claimId, keeper.now());
            }
        }
    }

    /** The store hears of it before the engine does. */
    private void sendFirst(ResourceEngine engine, Grant idle) {
        Duration limit = idle.claim().timeout();
        Release release = new Release(idle.resource(), idle.id(), idle.claim().lease(), false, limit);
        store.release(release, new StoreLink.Reply<>() {
            @Override
            public void answered(Release.Outcome outcome) {
                tell(engine, idle(engine), idle.id());
            }

            @Override
            public void failed(RuntimeException failure) {
                tell(engine, idle(engine), idle.id());
            }
        });
    }

    /** Nobody is given what was asked for before. */
    void checkGiven(EngineHold holding) {
        Moment asked = askedAt.get(holding.grant().id());
        if (asked != null
                && holding.grant().claim().mode() instanceof Mode.Exclusive
                && holding.since().mono() > asked.mono()) {
            throw new Violation(
                    "I9", keeper.id + " was asked for " + holding.grant().id() + " and gave it to " + holding.id());
        }
    }

    /** The time at which somebody recalls for a resource. */
    Moment believed(ResourceEngine engine) {
        Grant idle = idle(engine);
        past = idle != null && world.has(PlantedBug.TAKEN_PAST_ITS_END) ? idle.contactAt() : null;
        return past == null ? keeper.now() : past;
    }

    /** The time at which somebody takes a turn. */
    Moment believedInTurn() {
        Moment believed = past;
        past = null;
        return believed == null ? keeper.now() : believed;
    }

    private static @Nullable Grant idle(ResourceEngine engine) {
        for (Grant grant : engine.grants()) {
            if (grant.isIdle()) {
                return grant;
            }
        }
        return null;
    }
}
