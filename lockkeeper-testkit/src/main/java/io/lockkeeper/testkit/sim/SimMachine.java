package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Moment;
import java.util.ArrayDeque;
import java.util.Deque;

/** A process on a machine. While it is stopped, what should happen in it waits; once it is dead, nothing happens. */
final class SimMachine {

    final String name;
    final MachineClock clock;
    private final Schedule schedule;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean stopped;
    private boolean dead;

    SimMachine(String name, MachineClock clock, Schedule schedule) {
        this.name = name;
        this.clock = clock;
        this.schedule = schedule;
    }

    Moment now() {
        return clock.at(schedule.now());
    }

    boolean isRunning() {
        return !stopped && !dead;
    }

    boolean isDead() {
        return dead;
    }

    /** Something happens in this process, now or as soon as it runs again. */
    void run(Runnable what) {
        if (dead) {
            return;
        }
        if (stopped) {
            waiting.add(what);
        } else {
            what.run();
        }
    }

    void after(long delay, Runnable what) {
        schedule.after(delay, () -> run(what));
    }

    /** Something happens when the monotonic clock of this machine shows that. */
    void timer(long mono, Runnable what) {
        schedule.at(
                clock.timeOf(mono),
                () -> run(() -> {
                    if (now().mono() < mono) {
                        timer(mono, what);
                    } else {
                        what.run();
                    }
                }));
    }

    void stop() {
        stopped = true;
    }

    void go() {
        stopped = false;
        while (!waiting.isEmpty() && !stopped && !dead) {
            waiting.remove().run();
        }
    }

    void die() {
        dead = true;
        waiting.clear();
    }
}
