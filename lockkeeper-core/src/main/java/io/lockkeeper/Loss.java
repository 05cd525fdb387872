package io.lockkeeper;

/**
 * Word of a lost hold.
 *
 * @param reason what ended it
 * @param resource what was held
 * @param holdId the id of the hold
 * @param token its token
 */
public record Loss(Reason reason, Resource resource, String holdId, long token) {

    /** What ended a hold that was not released. */
    public enum Reason {
        /** Its lease ended: renewals did not get through in time, it was fixed, or it was kept longer than allowed. */
        EXPIRED,
        /**
         * The store has it no more though its lease was running: somebody else took it, or its record was deleted, flushed or
         * evicted, or lost in a restart or failover.
         */
        TAKEN,
        /** Another keeper released it by its id: it was {@linkplain OwnedLock#portable() portable}. */
        RELEASED_ELSEWHERE,
        /** The session with the store ended, and with it all that it held. */
        SESSION_ENDED,
        /** Somebody released it by force. */
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
