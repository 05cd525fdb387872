package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;

/**
 * Something that happened in a keeper, as a {@link KeeperListener} is notified of it. Each kind of event is an interface of
 * its own that the keeper implements. Later versions may add accessors, so applications implement these interfaces in tests
 * at most.
 */
public interface KeeperEvent {

    /** The kind of store of the keeper in one word, such as {@code redis} or {@code jdbc}. */
    String backend();

    /** An event about one resource. */
    interface OfResource extends KeeperEvent {
        /** The resource that the event is about. */
        Resource resource();
    }

    /**
     * An event about one acquisition: a call that acquires a resource, and the hold that comes of it. It begins with {@link
     * Requested} and ends with one of {@link Acquired}, {@link Nested}, {@link GaveUp} and {@link Failed}.
     */
    interface OfAcquisition extends OfResource {
        /** The number of the acquisition; no two acquisitions in a process have the same. */
        long acquisition();

        /** Whether the resource is shared with others, as by a read lock. */
        boolean shared();
    }

    /** An event about one hold. */
    interface OfHold extends OfAcquisition {
        /** The fencing token of the hold. */
        long token();
    }

    /** A thread or a future wants the resource. Delivered on the calling thread, also for a future. */
    interface Requested extends OfAcquisition {}

    /** A thread or a future begins to wait, because the resource is not free. */
    interface Waiting extends OfAcquisition {}

    /** A waiter asked the store again without a notification, because the time for that had come. */
    interface Polled extends OfAcquisition {}

    /** The owner had the resource already, or got it by another thread meanwhile, so it nests: there is no new hold. */
    interface Nested extends OfAcquisition {}

    /** A hold was granted. */
    interface Acquired extends OfHold {
        /** The time from the call until the hold was granted. */
        Duration waited();

        /**
         * Whether the hold was granted without a request to the store: it was handed off by another holder in this process,
         * or the process had kept the grant (see {@link DistributedLock#sticky}).
         */
        boolean handedOff();

        /** Whether the resource was not free at first, so that the thread or future had to wait. */
        boolean contended();
    }

    /** A thread or a future stopped waiting without a hold: a timeout, an interrupt or a cancellation. */
    interface GaveUp extends OfAcquisition {
        /** The time from the call until it gave up. */
        Duration waited();

        /** Why it gave up. */
        Cause cause();

        /** Why a thread or a future stopped waiting. */
        enum Cause {
            /** The resource was not free within the time that the caller gave, which may be none at all. */
            TIMEOUT,
            /** The thread was interrupted. */
            INTERRUPTED,
            /** The future was cancelled, or completed by the application. */
            CANCELLED
        }
    }

    /** An acquisition failed: the store did not answer, the request was refused, or the keeper was closed. */
    interface Failed extends OfAcquisition {
        /** The time from the call until it failed. */
        Duration waited();

        /** What the caller gets instead of a hold. */
        Throwable failure();
    }

    /** A hold was released by the application. */
    interface Released extends OfHold {
        /** The time from the grant until the release. */
        Duration held();

        /** The result of the release. */
        ReleaseOutcome outcome();
    }

    /** The store answered one renewal request. One request may renew many grants. */
    interface Renewed extends KeeperEvent {
        /** The number of grants in the request. */
        int grants();

        /** The time from sending the request until its answer. */
        Duration took();
    }

    /** The store did not answer one renewal request, or not for all grants in it. Each is renewed again until its deadline. */
    interface RenewalFailed extends KeeperEvent {
        /** The number of grants that were not renewed. */
        int grants();

        /** The time from sending the request until it failed. */
        Duration took();
    }

    /** A renewal that was due has not succeeded, so the hold is {@link HoldState#UNCERTAIN}. */
    interface Uncertain extends OfHold {}

    /** A hold was lost. */
    interface Lost extends OfHold {
        /** The reason, the resource, and the id and token of the hold. */
        Loss loss();

        /** The time from the grant until the loss was noticed. */
        Duration held();

        @Override
        default Resource resource() {
            return loss().resource();
        }

        @Override
        default long token() {
            return loss().token();
        }
    }

    /** The store did not answer a request, or answered with a failure. */
    interface StoreFailed extends OfResource {
        /** The reason, as the store's client reported it. */
        RuntimeException failure();
    }

    /** The store became reachable, or uncertain, as far as the keeper knows from its own requests. */
    interface StoreStateChanged extends KeeperEvent {
        /** The state now: {@link StoreState#REACHABLE} or {@link StoreState#UNCERTAIN}. */
        StoreState state();

        /** The state until now. */
        StoreState before();

        /** The failure of the request that made the store uncertain; empty if it is reachable. */
        Optional<RuntimeException> failure();

        /** The time for which the store was uncertain, if it is back; otherwise zero. */
        Duration outage();

        /** Whether the store answers again after it was uncertain. */
        default boolean back() {
            return state() == StoreState.REACHABLE && before() == StoreState.UNCERTAIN;
        }
    }
}
