package io.lockkeeper;

import java.util.List;

/**
 * A majority of several locks, held together. It is lost as soon as fewer than a majority are held; the others are released
 * then.
 */
public interface MajorityHold extends Hold {

    /**
     * The single holds that it consists of, in no order; some may be lost. Each has a token of its own, which orders the
     * holders of that one lock and not those of the majority, so none of them may guard what the majority protects.
     */
    List<? extends SingleHold> holds();
}
