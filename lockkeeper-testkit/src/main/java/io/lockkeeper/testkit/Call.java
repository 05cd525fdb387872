package io.lockkeeper.testkit;

/** The kinds of request that a keeper sends to a store. */
public enum Call {
    ATTEMPT,
    RELEASE,
    /** A release and an attempt in one request; it counts as these too, and faults of these meet its halves. */
    EXCHANGE,
    RENEW,
    NARROW,
    INSPECT,
    LIST,
    FORCE_RELEASE,
    RESIZE,
    LATCH,
    STORE_ID
}
