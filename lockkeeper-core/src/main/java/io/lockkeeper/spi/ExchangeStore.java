package io.lockkeeper.spi;

/**
 * A store that can end one claim and attempt another in one round trip, so that an exchange takes no longer than a release.
 *
 * @see Capability#EXCHANGE
 */
public non-sealed interface ExchangeStore extends StoreAbility {

    /**
     * Ends a claim, then attempts another one of the same resource, for a waiter of the same process. It does what {@link
     * Store#release} and {@link Store#attempt} do, and each half has its own fate: see {@link Exchanged}.
     *
     * <p>It blocks, for at most the timeout of the release, on the thread that releases or in the background. Calls about the released
     * claim do not overlap it; the other claim is new. An exchange is never repeated as a whole: a half that was not answered is
     * repeated as a release or an attempt of its own.
     */
    Exchanged exchange(Release release, Claim next);

    /** Both halves as requests of their own, one after the other, as a store does it whose requests cost next to nothing. */
    static Exchanged inTwoRequests(Store store, Release release, Claim next) {
        Release.Outcome outcome;
        try {
            outcome = store.release(release);
        } catch (RuntimeException failure) {
            return Exchanged.unanswered(failure);
        }
        try {
            return new Exchanged(outcome, null, store.attempt(next), null);
        } catch (RuntimeException failure) {
            return new Exchanged(outcome, null, null, failure);
        }
    }
}
