package io.lockkeeper;

/**
 * Receives the events of a keeper, for example to record metrics. Register it with {@link LockkeeperBuilder#listener}.
 *
 * <p>An event that is caused by a call of the application is delivered on the calling thread, before the call returns; every
 * other event is delivered on the keeper's callback executor. No event is delivered while a lock of the keeper is held, and
 * whatever a method throws is logged and ignored. The events about one hold that come on the callback executor are delivered
 * in order. An event about a future that waits may be delivered beside the event of its end, or after it; {@link
 * KeeperEvent.OfAcquisition#acquisition()} says which belong together. Without a listener none of this costs anything.
 */
public interface KeeperListener {

    /** A thread or a future wants a resource. */
    default void requested(KeeperEvent.Requested event) {}

    /** A thread or a future begins to wait, because the resource is not free. */
    default void waiting(KeeperEvent.Waiting event) {}

    /** A waiter asked the store again without a notification. */
    default void polled(KeeperEvent.Polled event) {}

    /** The owner had the resource already, so it nests. */
    default void nested(KeeperEvent.Nested event) {}

    /** A hold was granted. */
    default void acquired(KeeperEvent.Acquired event) {}

    /** A thread or a future stopped waiting without a hold. */
    default void gaveUp(KeeperEvent.GaveUp event) {}

    /** An acquisition failed. */
    default void failed(KeeperEvent.Failed event) {}

    /** A hold was released by the application. */
    default void released(KeeperEvent.Released event) {}

    /** The store answered one renewal request. */
    default void renewed(KeeperEvent.Renewed event) {}

    /** The store did not answer one renewal request, or not for all grants in it. */
    default void renewalFailed(KeeperEvent.RenewalFailed event) {}

    /** A renewal that was due has not succeeded: the hold is uncertain. */
    default void uncertain(KeeperEvent.Uncertain event) {}

    /** A hold was lost. */
    default void lost(KeeperEvent.Lost event) {}

    /** The store did not answer a request, or answered with a failure. */
    default void storeFailed(KeeperEvent.StoreFailed event) {}

    /**
     * The store became {@linkplain StoreState reachable, or uncertain}, or is back: one event for each change, not for each
     * request, in order, on the keeper's callback executor. The next event about the store waits until this method has returned.
     *
     * <p>The keeper knows it from its own requests alone. While it makes none, because it neither holds nor waits for anything,
     * the state stays what it was. On a store of several servers it is the state of the last request, whichever server that
     * was for; one member of a quorum that fails makes no difference.
     */
    default void storeStateChanged(KeeperEvent.StoreStateChanged event) {}
}
