package io.lockkeeper;

/** How a release ended. In every case the caller holds nothing any more. */
public enum ReleaseOutcome {
    /** Given back; of a hold that was handed on inside the process: not known to have been lost. */
    RELEASED,
    /** It was not held any more when the release came: lost before, or never held. */
    NOT_HELD,
    /** The store could not be asked; it is released in the background, at the latest when its lease ends. */
    UNKNOWN
}
