package io.lockkeeper.spi;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to a backend: what every store has. What only some stores can do is an interface of its own, a {@link
 * StoreAbility}.
 *
 * <p><b>Threads.</b> Calls come from many threads at once: those of the application and several of the keeper. The keeper
 * makes them without holding a lock of its own, and never on its timer; {@link #node} is the exception. A call is a short exchange
 * with the store: it may block for that, never until a resource is free, and ends within the timeout that it carries, or else
 * within {@link Keeper#commandTimeout}. An interrupt of the calling thread does not cut it short and is kept.
 *
 * <p>Rules that every store keeps:
 *
 * <ul>
 *   <li>A claim is known by its id alone. A claim that is sent twice is one claim: it is granted once, with the same token, and
 *       never counted twice.
 *   <li>A release and a renewal match the id; they cannot touch what another claim holds.
 *   <li>Leases end by the store's clock, never by a time that a client sent.
 *   <li>Tokens of a resource are never repeated and never go down.
 *   <li>A call that fails with an exception may or may not have been executed, and may be executed later. A store that knows
 *       that it was not, and that repeating it is useless, answers {@link Answer.Refused} instead.
 * </ul>
 *
 * <p><b>Sessions.</b> A store whose grants last as long as a session of their keeper has {@link Capability#EXPIRES} and not {@link
 * Capability#LEASES}, and names the {@link Session} in each {@link Answer.Granted}, with the claim's lease as validity.
 *
 * <ul>
 *   <li>It keeps the session alive by itself, every {@link Session#contactEvery}, whether anything is held or not, and reports the
 *       answered contacts to the {@link Session}. With each contact it looks what the session has: what belongs to no claim that
 *       the keeper {@linkplain Keeper#knows knows} is deleted.
 *   <li>It confirms a claim in {@link #renew} only if it has it in the same session, by a look that is not older than {@link
 *       Session#contactEvery}. What another session of this keeper made is never adopted: that session may end at any moment.
 *   <li>A session that {@linkplain Session#isOver is over} is given up, closed if the server can be reached, and another one opened. The
 *       keeper releases nothing that was granted in it. If the store itself has ended it, the store calls {@link Session#end}, then
 *       {@link Keeper#signalAll}.
 *   <li>It answers {@link Answer.Granted} in a session that lasts for at least a third of its timeout, after another contact if need be.
 *   <li>{@link #close} ends the session, or, in one that is not the store's own, deletes what this keeper has in it: the keeper releases
 *       none of its grants before.
 * </ul>
 */
public interface Store extends AutoCloseable {

    /**
     * Claims a resource, polls for a claim that waits, or confirms a claim that may be granted.
     *
     * <p>A claim that may queue and is not granted gets a place in the order of arrival and keeps it while its keeper polls
     * for it at least every 3 s; one that must not queue leaves no trace. A free resource goes to the first claim in the queue,
     * whichever claim is attempted. A grant counts from this call: the full lease is set whenever the answer is {@link
     * Answer.Granted}.
     *
     * <p>A store whose places end with a session refuses a fair claim that was {@linkplain Claim#placed placed} and has no place any more,
     * with {@link Answer.Cause#RELEASED}, and does not queue it anew. Only the first of a keeper's fair waiters polls often, and the others
     * rely on standing behind it in the store too. Queued anew, it could stand behind one of them, which would be next and not know it.
     *
     * <p>An attempt that has to wait for a {@linkplain Claim#sticky sticky} grant of another keeper recalls it, each
     * time, by {@link Keeper#recall}.
     *
     * <p><b>Calls.</b> On the thread that acquires, or in the background for an asynchronous acquisition; within {@link
     * Claim#timeout}. A keeper has one attempt of a claim under way, but one that was not answered may still arrive at the store after
     * its repeat, and a release of the claim may overtake it. A repeat ({@link Claim#repeat}) gets the answer that the first one would
     * get now: the same token if the claim holds, the same place if it waits.
     */
    Answer attempt(Claim claim);

    /**
     * Ends a claim, whether it holds, waits or never arrived, and signals the keeper whose claim is next.
     *
     * <p><b>Calls.</b> On the thread that releases, or in the background; within {@link Release#timeout}. It may overlap an attempt or a
     * renewal of the same claim, and wins: afterwards the claim holds nothing, and if {@link Release#unanswered} says so the store
     * refuses its id for a while. A release that was not answered is repeated in the background until it is answered; the repeat
     * finds nothing and answers {@link Release.Outcome#NOT_HELD}.
     */
    Release.Outcome release(Release release);

    /**
     * Renews grants, all of one {@linkplain #node node}. One that cannot be renewed does not harm the others. A claim that is
     * {@linkplain Claim#fixed fixed} is confirmed and not extended: the end of its lease stays where it is, but for {@link
     * ExtendingStore#extend}.
     *
     * <p><b>Calls.</b> On threads of the keeper that do nothing else, at a third of the lease or of the session's timeout if that is
     * shorter, or, to ask about a fixed claim of any
     * keeper, on the thread of the application; within the timeout. Several calls for one
     * node may overlap, each for other claims. A release or a narrowing of a claim may overlap its renewal; a renewal that arrives
     * after the release revives nothing. A repeat is another renewal.
     *
     * @return for each claim, in the same order, whether it still holds
     */
    List<Renewal> renew(List<Claim> held, Duration timeout);

    /**
     * What is there now; empty if the resource is free and no claim queues. A store without {@link Capability#HOLDERS} may not know
     * the holders of other keepers' grants, nor their tokens, which are 0 then.
     *
     * <p><b>Calls.</b> On the thread of the application, or in the background for a report; within {@link Keeper#commandTimeout}. It
     * changes nothing.
     */
    Optional<ResourceState> inspect(Resource resource);

    /**
     * All resources held or queued for whose name begins with the prefix. Only a store with {@link Capability#HOLDERS} is asked.
     *
     * <p><b>Calls.</b> On the thread of the application. It changes nothing. With very many names it may take longer than {@link
     * Keeper#commandTimeout}, and must not hold up other calls meanwhile.
     */
    List<ResourceState> list(String prefix);

    /**
     * A random value that the first keeper wrote into the store: the same for all keepers, under whatever address. It
     * orders locks of several stores, so it is what the store itself says now, each time. A store that has lost it is given the
     * one that this keeper knows, if no other keeper was faster.
     *
     * <p><b>Calls.</b> On the thread of the application; within {@link Keeper#commandTimeout}.
     */
    String storeId();

    /**
     * Where the store keeps this resource; renewals of different nodes are sent apart, in parallel. One node unless a store
     * says otherwise.
     *
     * <p><b>Calls.</b> It <b>must not block</b>: the keeper calls it while it holds locks of its own, in each
     * acquisition. So it answers from what is known here, without I/O and without waiting for a lock that is held during I/O. An
     * answer that is out of date does no harm; the keeper calls it again after each renewal.
     */
    default String node(Resource resource) {
        return "";
    }

    /**
     * Whether the store could be reached when it was last needed. Always, unless a store says otherwise: one that settles some calls
     * without asking anybody, such as the release of a claim of which nothing is left, says false here during an outage. Otherwise
     * the answer to such a call would be taken for the end of the outage.
     *
     * <p><b>Calls.</b> On any thread, after a call was answered during an outage. It must not block.
     */
    default boolean isReachable() {
        return true;
    }

    /**
     * The ability of that type; null if this store does not have it. It is this store itself, if it implements the interface; a
     * store whose abilities depend on how it is set up, or that wraps another one, overrides this.
     *
     * <p><b>Calls.</b> On any thread. It must not block, and answers the same as long as the store is open.
     */
    default <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return type.isInstance(this) ? type.cast(this) : null;
    }

    /**
     * Frees what belongs to this keeper's access. The keeper has released its grants before, as far as the store answered, but for
     * those in a {@link Session}, which end here.
     *
     * <p><b>Calls.</b> Once, after all other calls were made; those that are under way may fail. It may block for a moment.
     */
    @Override
    void close();
}
