package io.lockkeeper;

import java.util.List;

/** A majority of several locks. It is lost as soon as fewer than a majority are surely held; the others are given back then. */
public interface MajorityHold extends Hold {

    /**
     * The single holds that it was made of, in no order; some may be lost. They have tokens of their own, which order holders of
     * that one lock and not those of the majority, so none of them may guard what the majority protects.
     */
    List<? extends SingleHold> holds();
}
