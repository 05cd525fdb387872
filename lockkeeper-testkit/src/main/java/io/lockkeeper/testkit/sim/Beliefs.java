package io.lockkeeper.testkit.sim;

import io.lockkeeper.HoldState;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The beliefs of all users about what they hold. A belief is the state of a hold at that instant, in a process that runs: a
 * stopped process cannot look at it. Beliefs at the same instant must be compatible.
 */
final class Beliefs {

    private static final class Belief {
        final SimMachine machine;
        final EngineHold holding;
        final Supplier<Moment> clock;
        /** Since when the store is known not to hold it; -1 if it does. */
        long unbackedSince = -1;

        Belief(SimMachine machine, EngineHold holding, Supplier<Moment> clock) {
            this.machine = machine;
            this.holding = holding;
            this.clock = clock;
        }

        boolean isLive() {
            HoldState state = holding.state(clock.get());
            return state == HoldState.HELD || state == HoldState.UNCERTAIN;
        }

        Mode mode() {
            return holding.grant().claim().mode();
        }
    }

    private final Map<Resource, List<Belief>> beliefs = new LinkedHashMap<>();
    private final boolean binding;
    private long overlaps;

    /** @param binding whether an overlap is a mistake; otherwise it is counted */
    Beliefs(boolean binding) {
        this.binding = binding;
    }

    /** Whether an overlap is a mistake. */
    boolean areBinding() {
        return binding;
    }

    void add(SimMachine machine, EngineHold holding, Supplier<Moment> clock) {
        beliefs.computeIfAbsent(holding.resource(), r -> new ArrayList<>(2)).add(new Belief(machine, holding, clock));
    }

    void check() {
        for (Map.Entry<Resource, List<Belief>> entry : beliefs.entrySet()) {
            List<Belief> all = entry.getValue();
            if (all.size() > 1) {
                check(entry.getKey(), all);
            }
        }
    }

    /**
     * A holder whose grant is gone for whatever reason finds out at its next renewal, or at its deadline.
     *
     * @param granted the claims that hold in the store now
     */
    void checkBacked(Set<String> granted, long now, long bound) {
        for (List<Belief> all : beliefs.values()) {
            all.removeIf(belief -> belief.machine.isDead() || (belief.machine.isRunning() && !belief.isLive()));
            for (Belief belief : all) {
                if (granted.contains(belief.holding.grant().id())) {
                    belief.unbackedSince = -1;
                } else if (belief.unbackedSince < 0) {
                    belief.unbackedSince = now;
                } else if (now - belief.unbackedSince > bound && belief.machine.isRunning()) {
                    throw new Violation(
                            "I3",
                            belief.machine.name + " still believes to hold " + belief.holding.id()
                                    + " long after the store has ended it");
                }
            }
        }
    }

    private void check(Resource resource, List<Belief> all) {
        int permits = 0;
        int readers = 0;
        int writers = 0;
        for (int i = all.size() - 1; i >= 0; i--) {
            Belief belief = all.get(i);
            if (belief.machine.isDead() || (belief.machine.isRunning() && !belief.isLive())) {
                all.remove(i);
            } else if (belief.machine.isRunning()) {
                Mode mode = belief.mode();
                permits += mode instanceof Mode.Permits p ? p.count() : 0;
                readers += mode instanceof Mode.Shared ? 1 : 0;
                writers += mode instanceof Mode.Exclusive ? 1 : 0;
            }
        }
        if (permits > SimWorld.PERMITS || writers > 1 || (writers > 0 && readers > 0)) {
            overlaps++;
            if (binding) {
                StringBuilder who = new StringBuilder();
                for (Belief belief : all) {
                    who.append(' ').append(belief.machine.name).append(" as ").append(belief.holding.id());
                    who.append(" with token ").append(belief.holding.token()).append(',');
                }
                throw new Violation(
                        resource.family().key().equals("semaphore") ? "I8" : "I3",
                        "these believe to hold " + resource + " at once:" + who);
            }
        }
    }

    long overlaps() {
        return overlaps;
    }
}
