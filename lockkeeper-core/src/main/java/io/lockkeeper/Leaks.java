package io.lockkeeper;

/**
 * What a keeper does about a renewed hold whose handle was garbage-collected without having been released.
 *
 * <p>A handle is not considered forgotten while the application refers to it, to a future of its {@link Hold#lost() lost()}, to
 * something that depends on such a future, or to a {@link Registration} of a listener; nor while one of its listeners refers to
 * it. The handle of a {@linkplain Leased#withFixedLease fixed lease} may be dropped: the hold ends by itself, so it is neither
 * reported nor released early.
 */
public enum Leaks {
    /**
     * The hold is reported with the place that acquired it, and released; its listeners are notified with {@link
     * Loss.Reason#FORGOTTEN}.
     */
    RELEASE,
    /** The hold is only reported; it stays held until the keeper is closed. */
    REPORT
}
