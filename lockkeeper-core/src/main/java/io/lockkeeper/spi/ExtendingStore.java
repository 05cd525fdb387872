package io.lockkeeper.spi;

import java.time.Duration;

/**
 * A store that can make a grant of a fixed lease last longer.
 *
 * @see Capability#EXTEND
 */
public non-sealed interface ExtendingStore extends StoreAbility {

    /**
     * Makes a grant last for the lease of this claim from now, if the claim holds. A grant that lasts longer already stays as it
     * is: a request that comes late must not take away what a later one gave. For the same reason an {@link Store#attempt} of a
     * claim that holds never shortens its grant.
     *
     * <p>It blocks, for at most the timeout, on the thread of the application. Extensions of one claim may overlap each other, its
     * renewal and its release. A repeat counts from when it arrives.
     *
     * @return {@link Renewal.Kept} if the claim holds, for at least that long; {@link Renewal.Gone} if not
     */
    Renewal extend(Claim held, Duration timeout);
}
