package io.lockkeeper;

import java.util.List;

/** Several locks held together. It is lost as soon as one of them is. */
public interface MultiHold extends Hold {

    /** The single holds, each with its own token, in the order in which the locks were named. */
    List<ExclusiveHold> holds();
}
