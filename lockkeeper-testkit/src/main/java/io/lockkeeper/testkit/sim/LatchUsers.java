package io.lockkeeper.testkit.sim;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.LatchStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Latches under the same faults: one keeper begins a generation, others count it down, each sending its operation until it is
 * answered. The latch must not be open before every one of them has counted, and must be open in the end.
 */
final class LatchUsers {

    private static final long SECOND = 1_000_000_000L;
    private static final Resource LATCH = new Resource(Family.LATCH, "l");

    private final SimWorld world;
    private final SplittableRandom random;
    private final Supplier<LeasedServer> server;
    /** The users that have counted in this generation, as far as the store was told. */
    private final Set<Integer> counted = new HashSet<>();

    private int round;
    private int target;
    private int operations;
    private boolean over;

    LatchUsers(SimWorld world, SplittableRandom random, Supplier<LeasedServer> server) {
        this.world = world;
        this.random = random;
        this.server = server;
    }

    void begin() {
        world.schedule.after(random.nextLong(5 * SECOND), this::set);
    }

    private void set() {
        if (!world.isOpen()) {
            over = true;
            return;
        }
        over = false;
        round++;
        target = 1 + random.nextInt(4);
        counted.clear();
        String operation = "set" + round;
        int count = target;
        send(anyone(), () -> server.get().setLatch(LATCH, operation, count), begun -> {
            if (begun) {
                for (int i = 0; i < count; i++) {
                    countDown(i);
                }
            } else {
                // A late request of an earlier round began a generation of its own.
                long other = server.get().latchState(LATCH).generation();
                send(anyone(), () -> server.get().deleteLatch(LATCH, other), deleted -> set());
            }
        });
    }

    private void countDown(int who) {
        SimKeeper keeper = anyone();
        keeper.machine.after(
                random.nextLong(2 * SECOND),
                () -> send(
                        keeper,
                        () -> server.get().latchState(LATCH),
                        state -> countDown(keeper, who, state.generation())));
    }

    private void countDown(SimKeeper keeper, int who, long generation) {
        String operation = "down" + round + "." + who;
        int mine = round;
        send(
                keeper,
                () -> {
                    boolean retriedAnew = world.has(PlantedBug.LATCH_COUNTS_REQUESTS);
                    boolean done = server.get()
                            .countDown(LATCH, generation, retriedAnew ? operation + "/" + operations++ : operation);
                    if (mine == round) {
                        counted.add(who);
                        look(generation);
                    }
                    return done;
                },
                done -> {
                    if (mine == round && !over && counted.size() == target) {
                        over = true;
                        LatchStore.State state = server.get().latchState(LATCH);
                        if (state.generation() == generation && state.count() != 0) {
                            throw new Violation(
                                    "I8", "a latch is closed though all " + target + " have counted it down");
                        }
                        world.schedule.after(random.nextLong(3 * SECOND), this::set);
                    }
                });
    }

    private void look(long generation) {
        LatchStore.State state = server.get().latchState(LATCH);
        if (state.generation() == generation && state.count() == 0 && counted.size() < target) {
            throw new Violation("I8", "a latch opened when only " + counted.size() + " of " + target + " had counted");
        }
    }

    /** Sends until it is answered; if the sender dies meanwhile, another keeper goes on with the same operation. */
    private <T> void send(SimKeeper keeper, Supplier<T> request, Consumer<T> then) {
        SimKeeper sender = keeper.machine.isDead() ? anyone() : keeper;
        boolean[] answered = {false};
        world.network.call(sender.machine, server.get(), SECOND, request, new StoreLink.Reply<>() {
            @Override
            public void answered(T answer) {
                answered[0] = true;
                then.accept(answer);
            }

            @Override
            public void failed(RuntimeException failure) {
                answered[0] = true;
                world.schedule.after(SECOND / 5, () -> send(sender, request, then));
            }
        });
        // A process that crashed hears nothing at all.
        world.schedule.after(15 * SECOND, () -> {
            if (!answered[0] && sender.machine.isDead()) {
                send(anyone(), request, then);
            }
        });
    }

    private SimKeeper anyone() {
        List<SimKeeper> living = world.living();
        return living.get(random.nextInt(living.size()));
    }
}
