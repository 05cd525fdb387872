package io.lockkeeper;

/** Whether a keeper's store answers, as far as the keeper knows from its own requests. */
public enum StoreState {
    /** No request was answered yet, and none has failed. */
    UNKNOWN,
    /** The last request that the keeper knows of was answered. */
    REACHABLE,
    /**
     * A request failed or was not answered, and none was answered since. The store may be down, or only slow. Holds stay held until
     * their own deadline; see {@link HoldState#UNCERTAIN}.
     */
    UNCERTAIN
}
