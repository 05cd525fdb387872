package io.lockkeeper.testkit.sim;

import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Renewals;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.util.ArrayList;
import java.util.List;

/** Renews what a keeper holds in time, and ends what is over: the engine's own order of renewals, on simulated timers. */
final class RenewalRhythm {

    private final SimWorld world;
    private final SimKeeper keeper;
    private final StoreLink store;
    private final Renewals renewals = new Renewals();
    private long pumpAt = Long.MAX_VALUE;

    RenewalRhythm(SimWorld world, SimKeeper keeper, StoreLink store) {
        this.world = world;
        this.keeper = keeper;
        this.store = store;
    }

    boolean isEmpty() {
        return renewals.isEmpty();
    }

    void add(Grant grant) {
        renewals.add(grant, "");
    }

    void remove(Grant grant) {
        renewals.remove(grant);
    }

    void hasten(Grant grant) {
        renewals.hasten(grant, keeper.now());
    }

    /** Renews what is due, ends what is over, and comes back when there is something to do. */
    private void pump() {
        Moment now = keeper.now();
        for (Grant grant : renewals.ended(now)) {
            ResourceEngine engine = keeper.engine(grant.resource());
            engine.expire(now, grant);
            keeper.perform(engine);
        }
        for (Renewals.Batch batch : renewals.due(now)) {
            renew(batch);
        }
        plan();
    }

    /** Comes back when there is something to do next. */
    void plan() {
        long next = renewals.next();
        if (next < pumpAt) {
            pumpAt = next;
            keeper.timer(next, () -> {
                if (pumpAt == next) {
                    pumpAt = Long.MAX_VALUE;
                    pump();
                }
            });
        }
    }

    private void renew(Renewals.Batch batch) {
        Moment sentAt = keeper.now();
        List<Grant> wanted = new ArrayList<>(batch.grants());
        wanted.removeIf(Grant::isIdle);
        if (world.has(PlantedBug.FIXED_NEVER_ASKED_ABOUT)) {
            wanted.removeIf(grant -> !grant.renewed());
        }
        if (wanted.isEmpty()) {
            renewals.done(batch, sentAt);
            return;
        }
        List<Claim> held = new ArrayList<>();
        boolean onlyConfirmed = world.has(PlantedBug.CONFIRMED_TAKEN_FOR_RENEWED);
        wanted.forEach(grant -> held.add(onlyConfirmed ? fixed(grant.claim()) : grant.claim()));
        store.renew(held, new StoreLink.Reply<>() {
            @Override
            public void answered(List<Renewal> answers) {
                for (int i = 0; i < answers.size(); i++) {
                    Grant grant = wanted.get(i);
                    ResourceEngine engine = keeper.engine(grant.resource());
                    Renewal answer = answers.get(i);
                    world.schedule.trace(() -> keeper.id + " renewed " + grant.id() + ": " + answer);
                    if (answer instanceof Renewal.Unknown) {
                        engine.renewalFailed(keeper.now(), grant);
                    } else {
                        engine.renewed(keeper.now(), grant, keeper.counted(sentAt), allowed(grant, answer));
                    }
                    keeper.perform(engine);
                }
                renewals.done(batch, keeper.now());
                pump();
            }

            @Override
            public void failed(RuntimeException failure) {
                for (Grant grant : wanted) {
                    ResourceEngine engine = keeper.engine(grant.resource());
                    engine.renewalFailed(keeper.now(), grant);
                    keeper.perform(engine);
                }
                renewals.done(batch, keeper.now());
                pump();
            }
        });
    }

    private static Claim fixed(Claim claim) {
        return claim.withFixed(true);
    }

    private Renewal allowed(Grant grant, Renewal answer) {
        if (world.has(PlantedBug.CONFIRMED_TAKEN_FOR_RENEWED) && answer instanceof Renewal.Kept kept) {
            return new Renewal.Kept(grant.claim().lease(), kept.othersWait());
        }
        return world.has(PlantedBug.NO_DRIFT_MARGIN) && answer instanceof Renewal.Kept kept
                ? new Renewal.Kept(SimKeeper.withoutMargin(kept.validity()), kept.othersWait())
                : answer;
    }
}
