package io.lockkeeper;

/** The result of a release. In every case the caller no longer holds anything. */
public enum ReleaseOutcome {
    /** Released. Of a hold that was handed off inside the process: not known to have been lost. */
    RELEASED,
    /** It was not held any more when the release arrived: lost before, or never held. */
    NOT_HELD,
    /** The store could not be reached; it is released in the background, at the latest when its lease ends. */
    UNKNOWN
}
