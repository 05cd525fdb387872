package io.lockkeeper.shell;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The loop of something that waits without a thread of its own. Its steps are taken by request workers, one at a time; in
 * between the timer or a wake-up starts the loop again.
 *
 * <p><b>Invariant.</b> Each wake-up is followed by steps that began after it. A wake-up that comes while steps are taken is
 * counted, and the thread that takes them goes round once more. If it were dropped because the loop runs already, what
 * it tells of might have happened after the loop looked, and nobody would look again until the next poll.
 */
final class StepLoop {

    private final KeeperCore core;
    private final Steps steps;
    /** The wake-ups that were not attended to; the thread that makes it 1 has the steps taken. */
    private final AtomicInteger wakeUps = new AtomicInteger();

    /** Whether the alarm has come, and not a wake-up. */
    private volatile boolean due;

    private KeeperTimer.@Nullable Alarm alarm;

    /** What the loop does. Calls never overlap, and each sees what the one before it wrote. */
    interface Steps {

        /**
         * Goes on until there is something to wait for.
         *
         * @param due whether the time has come that the last call said, and not a wake-up
         * @return when to go on without a wake-up, on the monotonic clock; {@link Long#MAX_VALUE} for never
         */
        long goOn(boolean due);

        /** A step threw what no step should: ends the wait. */
        void broken(Throwable unexpected);
    }

    StepLoop(KeeperCore core, Steps steps) {
        this.core = core;
        this.steps = steps;
    }

    void wake() {
        if (wakeUps.getAndIncrement() != 0) {
            return;
        }
        boolean begun = false;
        try {
            core.workers().request(this::attend);
            begun = true;
        } finally {
            if (!begun) {
                // Otherwise no later wake-up would have a step taken either.
                wakeUps.set(0);
            }
        }
    }

    /** Takes steps until every wake-up was attended to. */
    private void attend() {
        int seen = wakeUps.get();
        do {
            core.alarms().cancel(alarm);
            boolean timeHasCome = due;
            due = false;
            try {
                long until = steps.goOn(timeHasCome);
                alarm = until == Long.MAX_VALUE ? null : core.alarms().at(until, this::timeHasCome);
            } catch (RuntimeException | Error unexpected) {
                steps.broken(unexpected);
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void timeHasCome() {
        due = true;
        wake();
    }
}
