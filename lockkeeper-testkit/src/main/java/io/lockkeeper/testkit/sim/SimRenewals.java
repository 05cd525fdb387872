package io.lockkeeper.testkit.sim;

import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.RenewalRequest;
import io.lockkeeper.engine.Renewals;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.util.ArrayList;
import java.util.List;

/** Renews what a keeper holds in time, and ends what is over: the engine's own order of renewals, on simulated timers. */
final class SimRenewals {

    private final SimWorld world;
    private final SimKeeper keeper;
    private final StoreLink store;
    private final Renewals renewals = new Renewals();
    private long pumpAt = Long.MAX_VALUE;

    SimRenewals(SimWorld world, SimKeeper keeper, StoreLink store) {
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
        RenewalRequest request = new RenewalRequest(wanted.size(), SimKeeper.COMMAND_TIMEOUT);
        boolean onlyConfirmed = world.has(PlantedBug.CONFIRMED_TAKEN_FOR_RENEWED);
        wanted.forEach(grant -> request.add(grant, onlyConfirmed ? grant.claim().withFixed(true) : grant.claim()));
        store.renew(request.claims(), new StoreLink.Reply<>() {
            @Override
            public void answered(List<Renewal> answers) {
                List<Renewal> taken = new ArrayList<>();
                for (int i = 0; i < answers.size(); i++) {
                    taken.add(allowed(wanted.get(i), answers.get(i)));
                }
                boolean late = world.has(PlantedBug.RENEWAL_COUNTED_FROM_REPLY);
                replied(StoreReply.answered(late ? keeper.now() : keeper.counted(sentAt), taken));
            }

            @Override
            public void failed(RuntimeException failure) {
                replied(StoreReply.failed(sentAt, failure));
            }

            private void replied(StoreReply<List<Renewal>> reply) {
                for (int i = 0; i < wanted.size(); i++) {
                    Grant grant = wanted.get(i);
                    ResourceEngine engine = keeper.engine(grant.resource());
                    world.schedule.trace(() -> keeper.id + " renewed " + grant.id() + ": " + reply.answer());
                    request.replied(engine, keeper.now(), i, reply);
                    world.learned(keeper, grant);
                    keeper.perform(engine);
                }
                renewals.done(batch, keeper.now());
                pump();
            }
        });
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
