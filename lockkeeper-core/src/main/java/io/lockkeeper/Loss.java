package io.lockkeeper;

/**
 * The notification of a lost hold.
 *
 * @param reason why it was lost
 * @param resource the resource that was held
 * @param holdId the id of the hold
 * @param token its fencing token
 */
public record Loss(Reason reason, Resource resource, String holdId, long token) {

    /** Why a hold that was not released has ended. */
    public enum Reason {
        /** Its lease ended: renewals did not succeed in time, the lease was fixed, or it was held longer than allowed. */
        EXPIRED,
        /**
         * The store no longer has it though its lease was running: another client took it, or its record was deleted, flushed
         * or evicted, or lost in a restart or failover.
         */
        TAKEN,
        /** Another keeper released it by its id: it was {@linkplain OwnedLock#portable() portable}. */
        RELEASED_ELSEWHERE,
        /** The session with the store ended, and with it everything that the session held. */
        SESSION_ENDED,
        /** It was released by force. */
        FORCED,
        /** Its keeper was closed. */
        KEEPER_CLOSED,
        /** Its handle was garbage-collected without having been released, so the keeper released it; see {@link Leaks}. */
        FORGOTTEN
    }

    @Override
    public String toString() {
        return "lost " + resource + " (token " + token + "): " + reason;
    }
}
