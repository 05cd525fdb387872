package io.lockkeeper.faults.check;

/** What can be found in a history. */
public enum Rule {
    /** Two believed to hold at one instant, and no fault that loses grants explains it. */
    OVERLAP(true),
    /** Two believed to hold at one instant, after a fault by which the store may forget grants. */
    OVERLAP_EXPLAINED(false),
    /** Two grants of a name with one token. */
    DUPLICATE_TOKEN(true),
    /** A grant that was requested after another one was known has the smaller token. */
    OUT_OF_ORDER(true),
    /**
     * The same after a fault that loses grants: a process whose grant is gone may hand it on among its threads for some
     * milliseconds more, with the tokens it has; registers that check refuse them.
     */
    OUT_OF_ORDER_EXPLAINED(false),
    /** F admitted a smaller token after a greater one, or two holds with one token. */
    STALE_ADMITTED(true),
    /** F admitted a write that overwrote what its writer had not read. */
    LOST_ON_F(true),
    /** A waiter that was never answered, though all had healed and everybody had released. */
    HUNG(true),
    /** A call with a time limit that was answered long after it. */
    LATE(true),
    /** A name that could not be acquired after the end. */
    STUCK(true),
    /** A hold that was lost, and its listener was never told. */
    UNTOLD(true),
    /** A name that nobody acquired for half a minute after a fault. */
    NOT_RECOVERED(true),
    /** A client that ended by itself. */
    CLIENT_DIED(true);

    private final boolean broken;

    Rule(boolean broken) {
        this.broken = broken;
    }

    /** Whether finding it means that a promise was broken; the others are only reported. */
    public boolean isBroken() {
        return broken;
    }
}
