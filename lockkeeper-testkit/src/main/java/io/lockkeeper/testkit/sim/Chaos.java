package io.lockkeeper.testkit.sim;

import java.util.List;
import java.util.SplittableRandom;

/** Brings the troubles of a plan about, at random times, until it is told to stop. */
final class Chaos {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final SimWorld world;
    private final SplittableRandom random;
    private final long lease;

    Chaos(SimWorld world, SplittableRandom random) {
        this.world = world;
        this.random = random;
        this.lease = world.plan.lease().toNanos();
    }

    void begin() {
        for (SimFaults trouble : world.plan.troubles()) {
            next(trouble);
        }
    }

    private void next(SimFaults trouble) {
        world.schedule.after(random.nextLong(world.plan.hot() ? 2 * SECOND : 15 * SECOND), () -> {
            if (world.isOn(trouble)) {
                happen(trouble);
                next(trouble);
            }
        });
    }

    private void happen(SimFaults trouble) {
        Server server = world.servers.get(random.nextInt(world.servers.size()));
        List<SimKeeper> living = world.living();
        SimKeeper keeper = living.get(random.nextInt(living.size()));
        switch (trouble) {
            case PARTITIONS -> {
                world.network.cut(keeper.machine, server);
                world.schedule.after(duration(), () -> {
                    world.network.mend(keeper.machine, server);
                    keeper.machine.run(keeper::signalAll);
                });
            }
            case PAUSES -> pause(keeper.machine, duration(), false);
            case SUSPENSIONS -> pause(keeper.machine, duration(), true);
            // Shorter than a tombstone lives: what is executed later than that ends with its lease.
            case STORE_PAUSES -> pause(server.machine(), Math.min(duration(), 20 * SECOND), false);
            case CRASHES -> {
                if (living.size() == 1) {
                    return;
                }
                keeper.machine.die();
                world.schedule.after(random.nextLong(5 * SECOND), world::begin);
            }
            case WALL_JUMPS_FORWARD -> keeper.machine.clock.jump(world.schedule.now(), random.nextLong(2 * lease));
            case WALL_JUMPS_BACK -> keeper.machine.clock.jump(world.schedule.now(), -random.nextLong(2 * lease));
            case STORE_CLOCK_JUMPS -> {
                long by = random.nextLong(2 * lease);
                server.machine().clock.jump(world.schedule.now(), random.nextBoolean() ? by : -by);
            }
            case STORE_RESTARTS, STORE_RESTARTS_EMPTY, LOSSY_FAILOVERS -> {
                if (mayRestart(server)) {
                    server.restart(200 * MILLI + random.nextLong(2 * SECOND), trouble);
                }
            }
            case FORCED_RELEASES -> world.force(server, random);
            case FOLLOWERS_CUT_OFF -> world.cutOffFollower(duration(), random);
            default -> {
                // Happens to messages, threads and clocks all the time.
                return;
            }
        }
        world.count(trouble);
        world.schedule.trace(() -> trouble + " (" + keeper.id + ", " + server.machine().name + ")");
    }

    /** Of several servers only a minority may lose its memory at about the same time. */
    private boolean mayRestart(Server server) {
        return world.servers.size() == 1 || world.mayLose(server);
    }

    private long duration() {
        Plan plan = world.plan;
        boolean bySession = plan.store() == Plan.StoreKind.SESSION && random.nextBoolean();
        long lease = (bySession ? plan.session() : plan.lease()).toNanos();
        return random.nextInt(3) == 0 ? random.nextLong(2 * lease) : random.nextLong(lease / 2);
    }

    private void pause(SimMachine machine, long length, boolean suspended) {
        if (!machine.isRunning()) {
            return;
        }
        machine.stop();
        if (suspended) {
            machine.clock.suspend(world.schedule.now());
        }
        world.schedule.after(length, () -> {
            if (suspended) {
                machine.clock.resume(world.schedule.now());
            }
            machine.go();
        });
    }
}
