package io.lockkeeper;

import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A keeper: the connection of a process to a store, and the source of its locks, semaphores, latches and elections. Open one
 * per process and store, share it between all threads, and close it at the end.
 *
 * <pre>{@code
 * try (Lockkeeper keeper = Lockkeeper.connect("file:/var/lib/app/locks")) {
 *     try (ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
 *         ledger.append(entry, hold.token());
 *     }
 * }
 * }</pre>
 *
 * <p>Names are any Unicode text of 1 to 255 bytes in UTF-8, case-sensitive, used as they are. Families (locks, semaphores,
 * latches, elections, segmented locks) do not share names; {@code lock}, {@code fairLock} and {@code readWriteLock} of one name
 * are one resource.
 *
 * <p>A primitive that the store does not offer fails in the method that makes it, with an {@link UnsupportedFeatureException}
 * that names the stores that do.
 */
public interface Lockkeeper extends AutoCloseable {

    /**
     * Opens a keeper on the store that the URL names: {@code memory:} (this keeper's own), {@code memory:name} (shared by name
     * within the process), {@code file:/path}, or a URL of another module on the class path.
     *
     * @throws IllegalArgumentException if the URL is malformed, or no module on the class path knows its scheme (the message
     *     says which one to add)
     * @throws StoreUnavailableException if the store cannot be reached; {@link LockkeeperBuilder#lazy} opens a keeper all the
     *     same
     * @throws LockkeeperException if the store rejects this keeper, for a wrong password for example
     */
    static Lockkeeper connect(String url) {
        return builder().connect(url);
    }

    /**
     * Opens a keeper on a backend. Several keepers may share one; it stays open when a keeper closes.
     *
     * @throws StoreUnavailableException if the store cannot be reached; see {@link LockkeeperBuilder#lazy}
     */
    static Lockkeeper of(Backend backend) {
        return builder().open(backend);
    }

    /** A builder of a keeper with settings of its own. */
    static LockkeeperBuilder builder() {
        return new LockkeeperBuilder();
    }

    /** An exclusive lock. Waiting threads of one process may be served before those of other processes, within bounds. */
    DistributedLock lock(String name);

    /**
     * An exclusive lock that is granted strictly in the order in which the store received the claims, across all processes. A
     * failover that loses the queue loses the order.
     */
    DistributedLock fairLock(String name);

    /** A lock that many readers or one writer may hold. */
    DistributedReadWriteLock readWriteLock(String name);

    /**
     * A semaphore. The store keeps the number from its first use.
     *
     * @param permits at least 1; if the store has another number, acquiring fails with {@link ClaimRefusedException}, which
     *     names both, unless the store's was set by {@link DistributedSemaphore#resize} or a similar method: then the number in
     *     the store counts
     */
    DistributedSemaphore semaphore(String name, int permits);

    /**
     * A semaphore whose number of permits is in the store; see {@link DistributedSemaphore#trySetPermits}. While the store has
     * no number, nothing can be acquired and waiters wait for the number.
     *
     * @throws UnsupportedFeatureException if the store keeps no numbers of permits
     */
    DistributedSemaphore semaphore(String name);

    /** A counter that threads of all processes can wait on. */
    DistributedLatch latch(String name);

    /** Several locks of this keeper as one; see {@link MultiLock#of} for read locks and for several keepers. */
    MultiLock multiLock(String... names);

    /**
     * A lock divided into segments.
     *
     * @param segments from 1 to 100,000; every process must use the same number
     */
    SegmentedLock segmentedLock(String name, int segments);

    /** An election among processes. Each object is a candidate of its own. */
    LeaderElection leaderElection(String name);

    /**
     * Locks that are owned by ids of the application, such as request ids.
     *
     * @throws UnsupportedFeatureException if the store has no portable holds
     */
    RequestLocks requests();

    /**
     * Releases a lock by the id of its hold: one of this keeper, or a {@linkplain OwnedLock#portable() portable}
     * one of any process. Anything else is {@link ReleaseOutcome#NOT_HELD} and changes nothing.
     *
     * @throws IllegalArgumentException if it is the id of permits of a semaphore of that name, of this keeper or portable ones of
     *     any process; {@link #release(Resource, String)} releases them
     */
    ReleaseOutcome release(String name, String holdId);

    /**
     * Releases a hold of any kind of resource by its id, such as the permits of a semaphore: {@code
     * release(Resource.semaphore("pool"), id)}. It must be a hold of this keeper, or a {@linkplain
     * DistributedSemaphore#portable() portable} one of any process. Anything else is {@link ReleaseOutcome#NOT_HELD} and
     * changes nothing. Its holder is notified: {@link Loss.Reason#RELEASED_ELSEWHERE}.
     */
    ReleaseOutcome release(Resource resource, String holdId);

    /**
     * The state of the <em>lock</em> of that name; empty if it is free and nobody waits. A semaphore or an election of the same
     * name is another resource: {@code inspect(Resource.semaphore(name))}. Asks the store.
     */
    default Optional<ResourceState> inspect(String name) {
        return inspect(Resource.lock(name));
    }

    /**
     * The state of a resource, such as {@code Resource.semaphore("mail-server")}; empty if it is free and nobody waits. Asks
     * the store.
     */
    Optional<ResourceState> inspect(Resource resource);

    /**
     * All resources whose name begins with the prefix and that are held or waited for. Asks the store; how much that costs
     * depends on the store.
     *
     * @throws UnsupportedFeatureException if the store knows no names
     */
    List<ResourceState> list(String prefix);

    /**
     * Takes the <em>lock</em> of that name away from its holders; for a semaphore use {@code
     * forceRelease(Resource.semaphore(name))}. The holders learn of it at their next renewal, or sooner by a signal; until then
     * they believe that they hold it, so this is for operators who know that the holder is gone.
     *
     * @return whether anybody held it
     */
    default boolean forceRelease(String name) {
        return forceRelease(Resource.lock(name));
    }

    /** Like {@link #forceRelease(String)} for any resource: of a semaphore, all permits. */
    boolean forceRelease(Resource resource);

    /**
     * Whether the store answers, as far as this keeper knows from its last requests; no I/O. {@link
     * KeeperListener#storeStateChanged} reports each change.
     */
    StoreState storeState();

    /** The random id of this keeper, as others see it in {@link #inspect}. */
    String id();

    /**
     * Prepares the keeper for the end of its process: it acquires nothing new, and its holders may finish. Call {@link #close}
     * afterwards.
     *
     * <p>At once, every acquisition that begins fails with {@link KeeperClosedException}, and so does every waiter; an owner that
     * has a lock by {@code lock()} may still nest. Candidates leave their elections, so that another process leads. Then this
     * method waits until the last hold was released or lost. Renewal, release and {@link #inspect} work as before. There is no
     * way back, also if this method is interrupted.
     *
     * @param wait how long to wait for holders and for the tasks of leaders; zero to wait for none
     * @return whether nothing is held any more
     * @throws KeeperClosedException if the keeper was closed before
     */
    boolean drain(Duration wait) throws InterruptedException;

    /**
     * Releases what this keeper holds (its holds are LOST, {@link Loss.Reason#KEEPER_CLOSED}) and fails its waiters with {@link
     * KeeperClosedException}. What could not be released ends with its lease. A {@linkplain #release(String, String) release by
     * id} that is repeated in the background stops: a hold that it had not reached stays. Idempotent.
     */
    @Override
    void close();
}
