package io.lockkeeper.quorum;

import io.lockkeeper.spi.Release;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Releases that a member did not confirm. They are sent again when the member next answers, so that a grant that the keeper
 * does not know of is free before its lease ends. Beyond a bound the oldest are forgotten, and their leases end by
 * themselves.
 */
final class UnconfirmedReleases {

    private static final int MOST = 10_000;

    private final MemberThreads threads;
    private final Consumer<Release> end;
    private final ConcurrentLinkedDeque<Release> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();

    UnconfirmedReleases(MemberThreads threads, Consumer<Release> end) {
        this.threads = threads;
        this.end = end;
    }

    /** It was sent before, so what it ends may be under way behind it. */
    void add(Release release) {
        waiting.addLast(new Release(release.resource(), release.claimId(), release.lease(), true, release.timeout()));
        if (size.incrementAndGet() > MOST && waiting.pollFirst() != null) {
            size.decrementAndGet();
        }
    }

    void memberAnswered() {
        if (waiting.isEmpty() || !running.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.submit(this::sendAll);
        } catch (RejectedExecutionException e) {
            // The next answer tries again.
            running.set(false);
        }
    }

    private void sendAll() {
        try {
            for (Release next = waiting.pollFirst(); next != null; next = waiting.pollFirst()) {
                size.decrementAndGet();
                try {
                    end.accept(next);
                } catch (RuntimeException | Error e) {
                    // It is sent again when the member next answers, whatever this was.
                    add(next);
                    return;
                }
            }
        } finally {
            running.set(false);
        }
    }
}
