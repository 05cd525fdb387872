package io.lockkeeper.testkit;

/** The kinds of request that a keeper sends to a store. */
public enum Call {
    ATTEMPT,
    RELEASE,
    RENEW,
    NARROW,
    INSPECT,
    LIST,
    FORCE_RELEASE,
    RESIZE,
    LATCH,
    STORE_ID
}
