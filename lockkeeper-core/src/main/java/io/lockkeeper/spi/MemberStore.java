package io.lockkeeper.spi;

import java.time.Duration;

/**
 * A store that can be a member of a quorum. Its tokens go on upwards after it lost its memory, or it never loses it.
 *
 * @see Capability#VOTES
 */
public non-sealed interface MemberStore extends StoreAbility {

    /**
     * Renews a grant and gives it a higher token, so that the members of a quorum agree on one.
     *
     * <p>It is done in one step, and only if the claim holds and the token is free: beyond every token that this resource
     * has given, or this claim's own already. Afterwards it is the token of the claim, and all later ones of the resource
     * are greater.
     *
     * <p>It blocks, for at most the timeout, on a thread of the quorum. The release of the claim may overlap it. A repeat with the same
     * token changes nothing but the lease.
     *
     * @return {@link Renewal.Kept} if so; {@link Renewal.Gone} if the claim does not hold, or if another claim was given
     *     that token or a later one, so that this one cannot have it any more
     */
    Renewal raise(Claim held, long token, Duration timeout);

    /**
     * How long the store has kept its memory: the time since it started empty, was restarted, or was replaced by a copy of
     * itself. It may have forgotten what it granted before that. {@link Answer#FOREVER} if it does not forget.
     *
     * <p>It blocks, for at most {@link Keeper#commandTimeout}, on a thread of the quorum.
     */
    Duration uptime();
}
