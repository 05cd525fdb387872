package io.lockkeeper.redis.client;

import java.util.concurrent.ThreadLocalRandom;

/** The pauses between tries to subscribe: 20 ms after a success, doubled by each failure up to a second. Used by one thread. */
public final class SubscriptionBackoff {

    private static final long LONGEST = ClientPolicy.LONGEST_SUBSCRIPTION_PAUSE.toNanos();
    private static final long SHORTEST = ClientPolicy.SHORTEST_SUBSCRIPTION_PAUSE.toNanos();

    private long pause = SHORTEST;

    /** The next pause in nanoseconds: a random part of it is left out, so that many clients do not come back at once. */
    public long next(boolean succeeded) {
        pause = succeeded ? SHORTEST : Math.min(LONGEST, 2 * pause);
        return ThreadLocalRandom.current().nextLong(pause / 2, pause);
    }
}
