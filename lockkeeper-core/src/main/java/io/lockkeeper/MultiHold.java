package io.lockkeeper;

import java.util.List;

/** Several locks held together. It is lost as soon as one of them is. */
public interface MultiHold extends Hold {

    /** The single holds, in the order in which the locks were named. Those of read locks are shared. */
    List<SingleHold> holds();

    /**
     * The exclusive holds among {@link #holds()}, each with its own fencing token, in the order in which the locks were named.
     * Without read locks these are all of them.
     */
    List<ExclusiveHold> exclusiveHolds();
}
