package io.lockkeeper;

/**
 * What is done about a renewed hold whose handle was garbage-collected without having been released.
 *
 * <p>A handle is not forgotten while the application keeps it, a future of its {@link Hold#lost() lost()}, something that
 * depends on such a future, or a {@link Registration} of a listener; nor while one of its listeners refers to it. The handle of
 * a {@linkplain OwnedLock#withFixedLease fixed lease} may be dropped: it ends by itself, so it is neither reported nor released
 * early.
 */
public enum Leaks {
    /** It is reported with the place that acquired it, and released; its listeners are told {@link Loss.Reason#FORGOTTEN}. */
    RELEASE,
    /** It is only reported; it stays held until the keeper is closed. */
    REPORT
}
