package io.lockkeeper.testkit.sim;

import io.lockkeeper.HandOff;
import io.lockkeeper.engine.Barging;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * HandOffRuns of holders that one keeper serves from one grant. A row must end, otherwise other keepers are never served; and newcomers
 * overtake the first waiter of a keeper only a few times, otherwise that waiter never is.
 */
final class HandOffRuns {

    private final HandOff handOff;
    /** How many newcomers in a row went before the waiters of an engine. */
    private final IdentityHashMap<ResourceEngine, Integer> passed = new IdentityHashMap<>();

    private final IdentityHashMap<ResourceEngine, Integer> waiting = new IdentityHashMap<>();
    /** When the first holder of a grant handed it on. */
    private final Map<Grant, Long> since = new WeakHashMap<>();
    /** How many have handed it on. */
    private final Map<Grant, Integer> rows = new WeakHashMap<>();

    HandOffRuns(HandOff handOff) {
        this.handOff = handOff;
    }

    /** Somebody asked and did not have to queue though others do. */
    void passedBy(ResourceEngine engine) {
        int inARow = passed.merge(engine, 1, Integer::sum);
        if (inARow > Barging.DEFAULT.times()) {
            throw new Violation("I7", inARow + " newcomers in a row went before the first waiter");
        }
    }

    /** Something happened: whenever fewer wait than before, somebody was served or left, and newcomers begin anew. */
    void look(ResourceEngine engine) {
        Integer before = waiting.put(engine, engine.waiting());
        if (before != null && engine.waiting() < before) {
            passed.remove(engine);
        }
    }

    void forget(ResourceEngine engine) {
        passed.remove(engine);
        waiting.remove(engine);
    }

    /** Somebody holds from now on. */
    void served(Moment now, EngineHold holding) {
        if (holding.remaining(now) <= 0) {
            throw new Violation("I3", holding.id() + " was taken after its deadline");
        }
    }

    /** A holder gave it back, and it stays here for the next one. */
    void kept(Moment now, EngineHold holding) {
        Grant grant = holding.grant();
        if (!(grant.claim().mode() instanceof Mode.Exclusive) || grant.claim().sticky()) {
            // A sticky one is asked for instead.
            return;
        }
        int holders = rows.merge(grant, 1, Integer::sum);
        long lasted = now.mono() - since.computeIfAbsent(grant, first -> now.mono());
        if (holders > handOff.times() || lasted > handOff.within().toNanos()) {
            throw new Violation("I7", grant.id() + " does not go back to the store after " + holders + " holders here");
        }
    }
}
