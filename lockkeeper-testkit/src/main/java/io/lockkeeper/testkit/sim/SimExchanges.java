package io.lockkeeper.testkit.sim;

import io.lockkeeper.engine.ReleaseStep;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Step;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;

/**
 * Takes a release and the attempt that goes along with it to the store, as the shell does; and knows the mistakes that can
 * be planted there.
 */
final class SimExchanges {

    private final SimWorld world;
    private final SimKeeper keeper;
    private final StoreLink store;

    SimExchanges(SimWorld world, SimKeeper keeper, StoreLink store) {
        this.world = world;
        this.keeper = keeper;
        this.store = store;
    }

    void send(ResourceEngine engine, ReleaseStep.Send send, Step.Attempt along) {
        Moment sentAt = keeper.now();
        String ended = send.release().claimId();
        String asked = along.claim().id();
        keeper.concern(ended, 1);
        keeper.concern(asked, 1);
        world.asked(along.claim());
        store.exchange(send.release(), along.claim(), new StoreLink.Reply<>() {
            @Override
            public void answered(Exchanged got) {
                keeper.concern(ended, -1);
                keeper.concern(asked, -1);
                world.schedule.trace(() -> keeper.id + " hears for " + ended + " and " + asked + ": " + got);
                Moment from = world.has(PlantedBug.PAIR_COUNTED_FROM_REPLY) ? keeper.now() : keeper.counted(sentAt);
                Exchanged taken = keeper.allowed(mistaken(engine, got));
                engine.exchanged(keeper.now(), send.grant(), along, from, taken);
                keeper.perform(engine);
            }

            @Override
            public void failed(RuntimeException failure) {
                answered(new Exchanged(null, failure, null, failure));
            }
        });
    }

    /** What is made of the answer. */
    private Exchanged mistaken(ResourceEngine engine, Exchanged got) {
        boolean granted = got.answer() instanceof Answer.Granted;
        boolean released = got.outcome() != null;
        if (world.has(PlantedBug.PAIR_NOT_RELEASED_AGAIN) && !released) {
            return new Exchanged(Release.Outcome.NOT_HELD, null, got.answer(), got.attemptFailure());
        }
        boolean forgotten = (world.has(PlantedBug.PAIR_NOT_ASKED_AGAIN) && got.answer() == null)
                || (world.has(PlantedBug.PAIR_HALF_ANSWERED) && released && got.answer() == null)
                || (world.has(PlantedBug.PAIR_GRANT_DROPPED) && granted && !released)
                || (world.has(PlantedBug.PAIR_GRANTED_TO_NOBODY) && granted && engine.waiting() == 0);
        return forgotten ? new Exchanged(got.outcome(), got.releaseFailure(), null, null) : got;
    }
}
