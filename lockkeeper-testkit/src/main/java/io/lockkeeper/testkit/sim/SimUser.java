package io.lockkeeper.testkit.sim;

import io.lockkeeper.HoldState;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.engine.Acquisition;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A thread or future of an application: it acquires something, works under the lock, releases it, and pauses. */
final class SimUser {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final SimWorld world;
    private final SimKeeper keeper;
    private final SplittableRandom random;
    private @Nullable Resource resource;
    private @Nullable Acquisition acquisition;
    private @Nullable EngineHold holding;
    /** Counts what it does, so that timers of the past do nothing. */
    private int chapter;

    private boolean asking;
    private boolean impatient;
    private boolean narrowing;
    private long parkedUntil = Long.MAX_VALUE;
    private @Nullable Moment wokenAt;

    SimUser(SimWorld world, SimKeeper keeper, SplittableRandom random) {
        this.world = world;
        this.keeper = keeper;
        this.random = random;
    }

    boolean isWaiting() {
        return acquisition != null && holding == null;
    }

    boolean isAlive() {
        return !keeper.machine.isDead();
    }

    void think() {
        chapter++;
        acquisition = null;
        holding = null;
        long pause = switch (world.plan.hot() ? 0 : random.nextInt(5)) {
            // Back at once, while the waiters are still being woken.
            case 0 -> 1_000;
            case 1 -> random.nextLong(2 * SECOND);
            default -> random.nextLong(100 * MILLI);
        };
        keeper.machine.after(pause, this::ask);
    }

    private void ask() {
        if (!world.isOpen()) {
            return;
        }
        int mine = ++chapter;
        Resource wanted = world.resources.get(random.nextInt(world.resources.size()));
        boolean once = !world.plan.hot() && random.nextInt(100) < 12;
        AcquireRequest request = request(wanted);
        if (once) {
            // A single try never queues, so it is never fair.
            request = new AcquireRequest(
                    request.mode(), request.lease(), request.fixed(), false, request.portable(), request.sticky());
        }
        Duration giveUpAfter = random.nextInt(100) < 10 ? Duration.ofMillis(random.nextInt(5_000)) : null;
        boolean timed = !once && !world.plan.hot() && random.nextInt(100) < 40;
        long limit = timed ? random.nextLong(random.nextBoolean() ? 3 * SECOND : 300 * MILLI) : Long.MAX_VALUE;
        // Of those whose time is limited, some have a timeout and the others are cancelled.
        boolean cancelled = timed && random.nextBoolean();
        long end = timed ? keeper.now().mono() + limit : Long.MAX_VALUE;
        Waiter waiter = new Waiter(request, once, giveUpAfter, null, () -> woken(mine));
        Acquisition begun = new Acquisition(waiter, cancelled ? Long.MAX_VALUE : end);
        resource = wanted;
        acquisition = begun;
        asking = false;
        impatient = false;
        wokenAt = null;
        parkedUntil = Long.MAX_VALUE;
        keeper.begin(wanted, begun);
        next(mine);
        if (cancelled) {
            keeper.timer(end, () -> cancel(mine));
        }
    }

    private AcquireRequest request(Resource wanted) {
        Duration lease = world.plan.lease();
        if (world.isSemaphore(wanted)) {
            return new AcquireRequest(
                    Mode.permits(1 + random.nextInt(2), SimWorld.PERMITS), lease, dice(15), dice(20), dice(10));
        }
        boolean shared = world.canShare() && dice(25);
        boolean fair = world.canQueue() && dice(25);
        AcquireRequest request =
                new AcquireRequest(shared ? Mode.SHARED : Mode.EXCLUSIVE, lease, dice(8), fair, dice(8));
        boolean alone = request.fixed() || fair || request.portable();
        return shared || alone || world.plan.sticky() == 0 || !dice(world.plan.sticky()) ? request : sticky(request);
    }

    private AcquireRequest sticky(AcquireRequest request) {
        // Half of them as long as can be.
        long longest = LeaseTimes.renewEvery(request.lease()).toNanos();
        Duration keep = Duration.ofNanos(random.nextBoolean() ? longest : 1 + random.nextLong(longest));
        return new AcquireRequest(request.mode(), request.lease(), false, false, false, keep);
    }

    private boolean dice(int percent) {
        return random.nextInt(100) < percent && !world.plan.hot();
    }

    private void woken(int mine) {
        wokenAt = keeper.now();
        keeper.machine.after(world.threadDelay(), () -> next(mine));
    }

    private void next(int mine) {
        Acquisition current = acquisition;
        Resource wanted = resource;
        if (mine != chapter || current == null || wanted == null || holding != null || asking) {
            return;
        }
        Moment since = wokenAt == null ? keeper.now() : wokenAt;
        wokenAt = null;
        Step step = keeper.next(wanted, current, since, () -> {
            if (mine == chapter) {
                asking = false;
                if (impatient) {
                    cancel(mine);
                } else {
                    next(mine);
                }
            }
        });
        if (step instanceof Step.Attempt) {
            asking = true;
        } else if (step instanceof Step.Park park) {
            park(mine, park.until());
        } else if (step instanceof Step.Served served) {
            world.given(keeper, served.holding());
            work(mine, served.holding());
        } else {
            think();
        }
    }

    private void park(int mine, long until) {
        if (until == Long.MAX_VALUE || world.has(PlantedBug.NO_POLL) || until >= parkedUntil) {
            return;
        }
        parkedUntil = until;
        keeper.timer(until, () -> {
            if (mine == chapter && parkedUntil == until) {
                parkedUntil = Long.MAX_VALUE;
                next(mine);
            }
        });
    }

    private void cancel(int mine) {
        Acquisition current = acquisition;
        Resource wanted = resource;
        if (mine != chapter || current == null || wanted == null || holding != null) {
            return;
        }
        if (asking && !impatient && random.nextBoolean()) {
            // A thread or future that is in the middle of a request stops when that is over.
            impatient = true;
            return;
        }
        keeper.stop(wanted, current);
        think();
    }

    private void work(int mine, EngineHold got) {
        got.attach(this);
        holding = got;
        world.served(keeper, got);
        long lease = world.plan.lease().toNanos();
        long duration = Math.max(
                1,
                world.plan.hot()
                        ? 1_000
                        : switch (random.nextInt(20)) {
                            case 0 -> random.nextLong((random.nextInt(4) == 0 ? 5 : 2) * lease);
                            case 1, 2, 3 -> random.nextLong(lease / 4);
                            default -> random.nextLong(20 * MILLI);
                        });
        for (int i = 0; i < 2; i++) {
            keeper.machine.after(random.nextLong(duration), () -> write(mine));
        }
        if (got.grant().claim().mode() instanceof Mode.Exclusive && world.canShare() && dice(5)) {
            keeper.machine.after(random.nextLong(duration), () -> downgrade(mine));
        }
        keeper.machine.after(duration, () -> finish(mine));
    }

    /** Most look whether they still hold; a careless one does not, and the register has to refuse it. */
    private void write(int mine) {
        EngineHold held = holding;
        if (mine != chapter || held == null || !(held.grant().claim().mode() instanceof Mode.Exclusive)) {
            return;
        }
        if (held.state(keeper.now()) == HoldState.LOST && random.nextInt(10) != 0) {
            return;
        }
        world.write(held);
    }

    private void downgrade(int mine) {
        EngineHold held = holding;
        if (mine == chapter && held != null && held.state(keeper.now()) == HoldState.HELD) {
            narrowing = true;
            keeper.downgrade(held, next -> {
                narrowing = false;
                if (next != held) {
                    next.attach(this);
                    holding = next;
                    world.served(keeper, next);
                }
            });
        }
    }

    private void finish(int mine) {
        EngineHold held = holding;
        if (mine == chapter && held != null) {
            if (narrowing) {
                keeper.machine.after(MILLI, () -> finish(mine));
                return;
            }
            keeper.release(held);
            think();
        }
    }

    /** Its hold was lost. It stops working, though not always at once. */
    void lost() {
        if (holding != null && random.nextInt(3) != 0) {
            finish(chapter);
        }
    }
}
