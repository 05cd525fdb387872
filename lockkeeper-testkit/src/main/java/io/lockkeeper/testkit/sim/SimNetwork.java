package io.lockkeeper.testkit.sim;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.sim.StoreLink.Reply;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Between keepers and stores. A request may be lost, its reply may be lost, it may come after its caller gave up, and then
 * twice. One thing it never does: come again after it was answered, for no transport does that.
 */
final class SimNetwork {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final SimWorld world;
    private final SplittableRandom random;
    private final Set<String> cut = new HashSet<>();
    /** A healthy message takes between these. */
    private final long quickest;

    private final long usual;

    SimNetwork(SimWorld world, SplittableRandom random) {
        this.world = world;
        this.random = random;
        this.quickest = world.plan.hot() ? MILLI / 20 : MILLI / 10;
        this.usual = world.plan.hot() ? MILLI / 20 : 2 * MILLI;
    }

    /** Asks a server for something. */
    <T> void call(SimMachine from, Server to, long limit, Supplier<T> request, Reply<T> reply) {
        Pending<T> pending = new Pending<>(from, reply);
        from.timer(from.now().mono() + limit, () -> pending.fail("no answer in time"));
        int fate = random.nextInt(100);
        if (world.isOn(SimFaults.LOST_MESSAGES) && fate < 5) {
            world.count(SimFaults.LOST_MESSAGES);
            if (fate < 3) {
                world.schedule.after(delay(), () -> execute(from, to, request, result -> {}));
            }
        } else if (world.isOn(SimFaults.LATE_REQUESTS) && fate >= 5 && fate < 10) {
            world.count(SimFaults.LATE_REQUESTS);
            if (fate < 7) {
                world.schedule.after(delay(), () -> execute(from, to, request, result -> {}));
            }
            long late = limit + limit / 5 + random.nextLong(10 * SECOND);
            world.schedule.after(late, () -> execute(from, to, request, result -> {}));
        } else {
            world.schedule.after(delay(), () -> {
                if (to.isDown()) {
                    back(from, to, () -> pending.fail("connection refused"));
                } else {
                    execute(from, to, request, result -> back(from, to, () -> pending.answer(result)));
                }
            });
        }
    }

    /** What becomes of the next pair, if it arrives at all. */
    ExchangeFate fateOfPair() {
        ExchangeFate fate = world.isOn(SimFaults.LOST_MESSAGES) ? ExchangeFate.random(random) : ExchangeFate.WHOLE;
        if (fate != ExchangeFate.WHOLE) {
            world.count(SimFaults.LOST_MESSAGES);
        }
        return fate;
    }

    private <T> void execute(SimMachine from, Server to, Supplier<T> request, Consumer<T> then) {
        if (!isCut(from, to) && !to.isDown()) {
            to.machine().run(() -> {
                if (!to.isDown()) {
                    T result;
                    try {
                        result = request.get();
                    } catch (Silence noAnswer) {
                        return;
                    }
                    then.accept(result);
                }
            });
        }
    }

    private void back(SimMachine from, Server to, Runnable what) {
        world.schedule.after(delay(), () -> {
            if (!isCut(from, to)) {
                from.run(what);
            }
        });
    }

    /** Tells a keeper something that it did not ask for. */
    void signal(Server from, SimMachine to, Runnable what) {
        if (world.isOn(SimFaults.LOST_SIGNALS) && random.nextInt(100) < 30) {
            world.count(SimFaults.LOST_SIGNALS);
            return;
        }
        back(to, from, what);
    }

    long delay() {
        if (world.isOn(SimFaults.SLOW_MESSAGES) && random.nextInt(100) < 8) {
            world.count(SimFaults.SLOW_MESSAGES);
            return random.nextLong(random.nextInt(4) == 0 ? 3 * SECOND : 300 * MILLI);
        }
        return quickest + random.nextLong(usual);
    }

    void cut(SimMachine keeper, Server server) {
        cut.add(keeper.name + '|' + server.machine().name);
    }

    void mend(SimMachine keeper, Server server) {
        cut.remove(keeper.name + '|' + server.machine().name);
    }

    private boolean isCut(SimMachine keeper, Server server) {
        return !cut.isEmpty() && cut.contains(keeper.name + '|' + server.machine().name);
    }

    /** A server gives no answer to a request. */
    static final class Silence extends RuntimeException {
        private static final long serialVersionUID = 1;

        Silence() {
            super("no answer", null, false, false);
        }
    }

    /** A request whose answer is awaited. */
    private static final class Pending<T> {
        private final SimMachine from;
        private final Reply<T> reply;
        private boolean over;

        Pending(SimMachine from, Reply<T> reply) {
            this.from = from;
            this.reply = reply;
        }

        void answer(T result) {
            if (!over) {
                over = true;
                reply.answered(result);
            }
        }

        void fail(String why) {
            if (!over && !from.isDead()) {
                over = true;
                reply.failed(new StoreUnavailableException(why));
            }
        }
    }
}
