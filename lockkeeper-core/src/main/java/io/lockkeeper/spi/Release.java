package io.lockkeeper.spi;

import io.lockkeeper.Resource;
import java.time.Duration;

/**
 * The end of a claim.
 *
 * @param resource the resource of the claim
 * @param claimId the id of the claim
 * @param lease the lease of the claim
 * @param unanswered whether a request of this claim may still be under way. It always may for a keeper that ends the claim of
 *     another one, whose answers it has not seen. Only then the store keeps a {@linkplain RetentionTimes#tombstone tombstone} by which
 *     it refuses this id, so that a late request is not granted to a claim that nobody waits for; and only then it has to find
 *     out whose claim it was, to signal that keeper
 * @param timeout how long the request may take
 */
public record Release(Resource resource, String claimId, Duration lease, boolean unanswered, Duration timeout) {

    /** What a release found in the store. */
    public enum Outcome {
        /** The claim held, and holds no more. */
        RELEASED,
        /** The claim held nothing: it waited, was lost, or never arrived. Its place in the queue is gone too. */
        NOT_HELD
    }
}
