package io.lockkeeper;

/** One segment of a segmented lock, held alone. */
public interface SegmentHold extends ExclusiveHold {

    /** Which segment, from 0. */
    int segment();
}
