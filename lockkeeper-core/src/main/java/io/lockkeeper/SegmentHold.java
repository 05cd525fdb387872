package io.lockkeeper;

/** One segment of a segmented lock, held exclusively. */
public interface SegmentHold extends ExclusiveHold {

    /** The index of the segment, counted from 0. */
    int segment();
}
