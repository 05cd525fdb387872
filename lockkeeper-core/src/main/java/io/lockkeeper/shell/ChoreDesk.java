package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.Chore;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Settles with the store, in the background, what nobody waits for: each chore until it is certain. */
final class ChoreDesk {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final int LAST_DOUBLING = 6;
    private static final long NAP = Duration.ofMillis(2).toNanos();

    private final Station station;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition never = lock.newCondition();

    ChoreDesk(Station station) {
        this.station = station;
    }

    void take(Resource resource, Chore chore) {
        station.workers().request(() -> attempt(resource, chore, 0));
    }

    private void attempt(Resource resource, Chore chore, int tries) {
        try {
            if (chore instanceof Chore.End end) {
                station.store().release(end.release());
            } else if (chore instanceof Chore.Narrow narrow) {
                station.store().narrow(narrow.held(), narrow.to());
            }
        } catch (RuntimeException | Error failure) {
            station.storeFailed(resource, Station.asFailure(failure));
            if (!station.isClosed() && !pointless(resource, chore)) {
                Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(tries, LAST_DOUBLING));
                station.alarms().in(pause, () -> station.workers().request(() -> attempt(resource, chore, tries + 1)));
                return;
            }
        }
        station.at(resource, post -> post.engine.settled());
    }

    private boolean pointless(Resource resource, Chore chore) {
        Post post = station.enter(resource);
        try {
            return post.engine.pointless(station.now(), chore);
        } finally {
            station.leave(post, null);
        }
    }

    /**
     * Waits until all is settled, but not longer than this. Callers' own requests count too: what one of them is granted
     * or gives back just now must reach the store before it is closed.
     */
    void finish(Duration limit) {
        long left = limit.toNanos();
        boolean interrupted = false;
        while (left > 0 && !station.isSettled()) {
            long nap = Math.min(left, NAP);
            lock.lock();
            try {
                left -= nap - Math.max(0, never.awaitNanos(nap));
            } catch (InterruptedException later) {
                interrupted = true;
            } finally {
                lock.unlock();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
