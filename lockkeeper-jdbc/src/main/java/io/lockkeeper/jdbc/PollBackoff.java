package io.lockkeeper.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When claims that wait are to be tried again where nobody notifies them: soon at first, then less and less often, each by
 * chance a little sooner or later, so that processes do not meet at the same moment.
 */
final class PollBackoff {

    private static final Duration FIRST = JdbcPolicy.FIRST_POLL;
    private static final Duration LONGEST = JdbcPolicy.LONGEST_POLL;

    private final Map<String, Long> pauses = new ConcurrentHashMap<>();

    boolean isWaiting(String claimId) {
        return pauses.containsKey(claimId);
    }

    /** The claim waits, for a notification and not for the next poll. */
    void waiting(String claimId) {
        pauses.putIfAbsent(claimId, FIRST.toNanos());
    }

    /** The time until the next poll of a claim that waits, at most half again as long as the one before. */
    Duration next(String claimId) {
        long pause =
                pauses.merge(claimId, FIRST.toNanos(), (last, first) -> Math.min(last + last / 2, LONGEST.toNanos()));
        return jittered(pause);
    }

    /** The time until another try of a claim that does not wait. */
    static Duration once() {
        return jittered(LONGEST.toNanos() / 4);
    }

    private static Duration jittered(long nanos) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos * 3 / 4, nanos + 1));
    }

    /** The claim waits no more. */
    void forget(String claimId) {
        pauses.remove(claimId);
    }
}
