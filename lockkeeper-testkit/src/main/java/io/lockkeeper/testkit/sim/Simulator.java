package io.lockkeeper.testkit.sim;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Carries out plans. The same plan always gives the same run. */
public final class Simulator {

    private static final long MOST_EVENTS = 2_000_000;
    private static final long SECOND = 1_000_000_000L;

    private Simulator() {}

    public static Run run(Plan plan) {
        return run(plan, false);
    }

    /** @param tracing whether to record the last events */
    public static Run run(Plan plan, boolean tracing) {
        SimWorld world = new SimWorld(plan, tracing);
        Violation violation = null;
        try {
            new Chaos(world, new SplittableRandom(plan.seed() ^ 0x5DEECE66DL)).begin();
            world.checkStores();
            run(world, plan.chaos().toNanos());
            world.heal();
            long settled = world.schedule.now() + plan.longest().multipliedBy(6).toNanos() + 150 * SECOND;
            while (!world.isQuiet() && world.schedule.now() < settled) {
                run(world, Math.min(settled, world.schedule.now() + SECOND));
            }
            // What crashed processes had ends by itself.
            run(world, world.schedule.now() + plan.longest().multipliedBy(2).toNanos() + 62 * SECOND);
            world.checkEnd();
        } catch (Violation found) {
            violation = found;
        }
        return world.summary(violation);
    }

    private static void run(SimWorld world, long until) {
        while (world.schedule.step(until)) {
            world.check();
            if (world.schedule.done() > MOST_EVENTS) {
                throw new Violation("I7", "it goes round in circles: more than " + MOST_EVENTS + " events");
            }
        }
    }

    /** The same violation with as few troubles as possible, recorded. */
    public static Run shortest(Run failed) {
        Violation first = failed.violation();
        Plan plan = failed.plan();
        if (first == null) {
            return failed;
        }
        for (SimFaults trouble : SimFaults.values()) {
            Set<SimFaults> fewer = EnumSet.noneOf(SimFaults.class);
            fewer.addAll(plan.troubles());
            if (fewer.remove(trouble) && breaks(plan.with(fewer), first.rule())) {
                plan = plan.with(fewer);
            }
        }
        return run(plan, true);
    }

    private static boolean breaks(Plan plan, String rule) {
        Violation violation = run(plan).violation();
        return violation != null && violation.rule().equals(rule);
    }

    /** Words for a failed run: its seed, what was broken, and the last events before that. */
    public static String explain(Run failed) {
        Run run = shortest(failed);
        Plan plan = run.plan();
        Violation violation = run.violation();
        int from = Math.max(0, run.trace().size() - 40);
        return "Seed " + plan.seed() + " against a " + plan.store() + " store"
                + (plan.bug() == null ? "" : " with " + plan.bug()) + ", " + plan.keepers() + " keepers of "
                + plan.users() + " threads, lease " + plan.lease()
                + (plan.store() == Plan.StoreKind.SESSION ? ", session " + plan.session() : "") + ", troubles "
                + plan.troubles() + ":\n  "
                + (violation == null ? "nothing is broken" : violation.getMessage()) + "\nafter\n  "
                + String.join("\n  ", run.trace().subList(from, run.trace().size()));
    }
}
