package io.lockkeeper;

/** What happens to a hold that is kept longer than {@link Leased#withMaxHold} allows. */
public enum Overdue {
    /** It is reported, with the place that acquired it, and kept. */
    REPORT,
    /** It is reported and lost: no longer renewed, its listeners notified, and returned to the store. */
    LOSE
}
