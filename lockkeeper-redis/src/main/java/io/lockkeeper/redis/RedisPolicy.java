package io.lockkeeper.redis;

import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;

/**
 * How long this store waits. Leases are in {@link LeaseTimes}, tombstones in {@link RetentionTimes}, and when a waiter counts as
 * dead in {@link WaiterTimes}: keepers of several processes rely on them. Those of connections are in {@link
 * io.lockkeeper.redis.client.ClientPolicy}.
 */
final class RedisPolicy {

    /** How long opening may take: the first connection of a process loads classes and negotiates TLS. */
    static final Duration OPENING = Duration.ofSeconds(5);

    /** How long a guard may take to say whether it admits a token. */
    static final Duration GUARD_TIMEOUT = Duration.ofSeconds(1);

    /** Retry interval for a claim that could not queue because the subscription is not active yet. */
    static final Duration UNSUBSCRIBED_RETRY = Duration.ofMillis(50);

    private RedisPolicy() {}
}
