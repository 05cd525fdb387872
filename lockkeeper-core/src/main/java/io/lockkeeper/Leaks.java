package io.lockkeeper;

/** What is done about a hold that was garbage-collected without having been released. */
public enum Leaks {
    /** It is reported with the place that acquired it, and released. */
    RELEASE,
    /** It is only reported; it stays held until the keeper is closed. */
    REPORT
}
