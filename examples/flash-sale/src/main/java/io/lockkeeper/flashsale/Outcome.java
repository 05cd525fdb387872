package io.lockkeeper.flashsale;

/** How it ended for a customer. */
enum Outcome {
    SOLD,
    /** There was nothing left. */
    SOLD_OUT,
    /** There may have been something left, and yet nothing was sold: a timeout, too many conflicts, a lock that was lost. */
    FAILED
}
