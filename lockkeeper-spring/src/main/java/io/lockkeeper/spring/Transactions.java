package io.lockkeeper.spring;

/** What locks have to do with transactions; nothing in an application without them. */
interface Transactions {

    /** For applications without Spring's transactions. */
    Transactions NONE = (held, call) -> {};

    /**
     * To be called when a lock was taken and before its method runs. If a transaction is open already, it keeps the lock: see {@link
     * HeldLock#isKeptByTransaction}.
     */
    void enter(HeldLock held, LockedCall call);
}
