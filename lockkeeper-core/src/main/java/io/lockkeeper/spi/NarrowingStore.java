package io.lockkeeper.spi;

/**
 * A store that can give up a part of a grant.
 *
 * @see Capability#SHARED
 * @see Capability#PERMITS
 */
public non-sealed interface NarrowingStore extends StoreAbility {

    /**
     * Gives up a part of a grant in one step: exclusive becomes shared, n permits become fewer. Id, token and lease stay. The
     * claims that are let in by it are signalled.
     *
     * <p>It blocks, for at most the timeout of the claim, on the thread of the application or in the background. It is not repeated
     * while it is under way, but one that was not answered is repeated in the background until it is answered, and the claim may
     * be renewed or released meanwhile: a narrowing that arrives after the release finds nothing and must change nothing. A
     * repeat answers as the first one did.
     *
     * @return false if the claim does not hold
     */
    boolean narrow(Claim held, Mode to);
}
