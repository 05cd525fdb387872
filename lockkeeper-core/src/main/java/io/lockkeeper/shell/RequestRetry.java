package io.lockkeeper.shell;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.function.Supplier;

/** Repeats a request that is safe to repeat until it is answered, a few times at most. */
final class RequestRetry {

    private RequestRetry() {}

    /** @throws StoreUnavailableException if none of the tries was answered */
    static <T> T ask(KeeperCore core, Supplier<T> request) {
        for (int tries = 1; ; tries++) {
            try {
                return core.ask(request);
            } catch (StoreUnavailableException unanswered) {
                if (tries == KeeperPolicy.REQUEST_TRIES) {
                    throw unanswered;
                }
                pause(core.clocks(), KeeperPolicy.REQUEST_RETRY.multipliedBy(tries));
            }
        }
    }

    /** Pauses this thread interruptibly. */
    static void nap(Clocks clocks, Duration duration) throws InterruptedException {
        clocks.park(RequestRetry.class, clocks.now().mono() + duration.toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Pauses this thread uninterruptibly; the interrupt flag is preserved. */
    static void pause(Clocks clocks, Duration duration) {
        boolean interrupted = Thread.interrupted();
        clocks.park(RequestRetry.class, clocks.now().mono() + duration.toNanos());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
