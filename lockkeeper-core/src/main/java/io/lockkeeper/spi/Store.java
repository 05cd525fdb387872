package io.lockkeeper.spi;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.UnsupportedFeatureException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to a backend. Calls may come from many threads at once.
 *
 * <p>Which calls may block: {@link #attempt}, {@link #release}, {@link #exchange}, {@link #renew}, {@link #extend}, {@link
 * #raise} and the calls of {@link LatchStore} are a short exchange with the store each. They block, but never for a lock, and
 * end within the limit that they carry, or else within {@link Keeper#commandLimit}; so do {@link #narrow}, {@link #inspect},
 * {@link #list}, {@link #forceRelease}, {@link #resize}, {@link #uptime} and {@link #storeId}. The keeper makes them without
 * holding a lock of its own, and never on its timer. {@link #node}, {@link #latches} and {@link #sizes} must not block. {@link #close} may
 * block for a moment.
 *
 * <p>Renewals of one node may come several at a time, each for other claims.
 *
 * <p>Rules that every store keeps:
 *
 * <ul>
 *   <li>A claim is known by its id alone. The same claim asked twice is one claim: it is granted once, with the same
 *       token, and never counted twice.
 *   <li>Ending and renewing match the id; what another claim holds can not be touched.
 *   <li>Leases end by the store's clock, never by a time that a client sent.
 *   <li>Tokens of a resource are never repeated and never go down.
 *   <li>A call that fails with an exception may or may not have been executed. A store that knows that it was not, and
 *       that asking again will not help, answers {@link Answer.Refused} instead.
 * </ul>
 */
public interface Store extends AutoCloseable {

    /**
     * Asks for a resource, or again for a claim that waits, or whether a claim is granted.
     *
     * <p>A claim that may queue and is not granted gets a place in the order of arrival and keeps it while its keeper asks
     * for it at least every 3 s; one that must not queue leaves no trace. A free resource goes to the first in the queue,
     * whoever asks. A grant counts from this call: the full lease is set whenever the answer is {@link Answer.Granted}.
     *
     * <p>An attempt that has to wait for a {@linkplain Claim#sticky sticky} grant of another keeper asks that keeper, each
     * time, by {@link Keeper#recall}.
     */
    Answer attempt(Claim claim);

    /** Ends a claim, whether it holds, waits or never arrived; and wakes whoever is next. */
    Release.Outcome release(Release release);

    /**
     * Ends a claim, then asks for another one of the same resource, for somebody else in the same process who waits for it.
     * The same as {@link #release} and {@link #attempt}, but in one round trip where the store can do that.
     *
     * @see Capability#EXCHANGE
     */
    default Exchanged exchange(Release release, Claim next) {
        Release.Outcome outcome;
        try {
            outcome = release(release);
        } catch (RuntimeException failure) {
            return Exchanged.unanswered(failure);
        }
        try {
            return new Exchanged(outcome, null, attempt(next), null);
        } catch (RuntimeException failure) {
            return new Exchanged(outcome, null, null, failure);
        }
    }

    /**
     * Renews grants, all of one {@linkplain #node node}. One that cannot be renewed does not harm the others. A claim that is
     * {@linkplain Claim#fixed fixed} is confirmed and not extended: the end of its lease stays where it is, but for {@link
     * #extend}.
     *
     * @return for each claim, in the same order, whether it still holds
     */
    List<Renewal> renew(List<Claim> held, Duration limit);

    /**
     * Renews a grant and gives it a higher token, so that members of a quorum agree on one.
     *
     * <p>It is done in one step, and only if the claim holds and the token is free: beyond every token that this resource
     * has given, or this claim's own already. Afterwards it is the token of the claim, and all later ones of the resource
     * are greater. Doing it twice is doing it once.
     *
     * @return {@link Renewal.Kept} if so; {@link Renewal.Gone} if the claim does not hold, or if another claim was given
     *     that token or a later one, so that this one can not have it any more
     * @see Capability#VOTES
     */
    default Renewal raise(Claim held, long token, Duration limit) {
        return new Renewal.Unknown(new UnsupportedFeatureException(
                "This store can not be a member of a quorum; use " + Capability.VOTES.offeredBy()));
    }

    /**
     * Makes a grant last for the lease of this claim from now, if it holds. One that lasts longer already stays as it is: a
     * request that comes late must not take away what a later one gave. For the same reason an {@link #attempt} of a claim
     * that holds never shortens its grant.
     *
     * @return {@link Renewal.Kept} if it holds, for at least that long; {@link Renewal.Gone} if not
     * @see Capability#EXTEND
     */
    default Renewal extend(Claim held, Duration limit) {
        return new Renewal.Unknown(new UnsupportedFeatureException(
                "This store can not extend a fixed lease; use " + Capability.EXTEND.offeredBy()));
    }

    /**
     * How long the store has kept its memory: the time since it started empty, was restarted, or was replaced by a copy of
     * itself. What it granted before that it may have forgotten. {@link Answer#FOREVER} if it does not forget.
     *
     * @see Capability#VOTES
     */
    default Duration uptime() {
        return Answer.FOREVER;
    }

    /**
     * Where the store keeps this resource; renewals of different nodes are sent apart, in parallel.
     *
     * <p>It <b>must not block</b>: it is called while the keeper holds locks of its own, on the way of each acquisition, so it
     * answers from what is known here, without I/O and without waiting for a lock that is held during I/O. An answer that is
     * out of date does no harm; it is asked for again after each renewal.
     */
    default String node(Resource resource) {
        return "";
    }

    /**
     * Gives up a part of a grant in one step: exclusive becomes shared, n permits become fewer. Id, token and lease stay.
     * Doing it twice is doing it once. Wakes those who are let in.
     *
     * @return false if the claim does not hold
     */
    boolean narrow(Claim held, Mode to);

    /** What is there now; empty if the resource is free and nobody queues. */
    Optional<ResourceState> inspect(Resource resource);

    /** All resources held or queued for whose name begins so. */
    List<ResourceState> list(String prefix);

    /** Ends whatever grants a resource has; signals their keepers and whoever is next. */
    boolean forceRelease(Resource resource);

    /** Changes the size of a semaphore; growing wakes those who wait. */
    void resize(Resource semaphore, int permits);

    /**
     * The sizes of semaphores that are set in the store; null if it has no such sizes.
     *
     * @see Capability#SIZES
     */
    default @Nullable SizeStore sizes() {
        return null;
    }

    /** The store's latches; null if it has none. */
    default @Nullable LatchStore latches() {
        return null;
    }

    /**
     * A random value that the first keeper wrote into the store: the same for all who use it, under whatever address. It
     * orders locks of several stores, so it is what the store itself says now, each time. A store that has lost it is given the
     * one that this keeper knows, if no other keeper was faster.
     */
    String storeId();

    /** Frees what belongs to this keeper's access. The engine has released its grants before. */
    @Override
    void close();
}
