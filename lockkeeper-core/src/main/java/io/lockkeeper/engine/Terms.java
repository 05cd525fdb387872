package io.lockkeeper.engine;

import io.lockkeeper.HandOff;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.spi.LeaseTimes;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What applies to all resources of a keeper.
 *
 * @param holder the keeper's description of itself, shown to other keepers
 * @param commandTimeout how long a request may take
 * @param handOff how far grants are passed on
 * @param barging how far newcomers may overtake waiters
 * @param canHandOff whether the store gives out tokens in blocks
 * @param exchanges whether a release may take an attempt for the waiters along, in the same request
 * @param leases whether the store ends each grant that nobody renews, also while its keeper lives
 * @param ids makes claim ids: random, at least 128 bits
 */
public record Terms(
        HolderInfo holder,
        Duration commandTimeout,
        HandOff handOff,
        Barging barging,
        boolean canHandOff,
        boolean exchanges,
        boolean leases,
        Supplier<String> ids) {

    /** A request takes at most the time between two renewals of the lease it is about, so that one can be repeated. */
    public Duration timeoutFor(Duration lease) {
        Duration period = LeaseTimes.renewEvery(lease);
        return period.compareTo(commandTimeout) < 0 ? period : commandTimeout;
    }
}
