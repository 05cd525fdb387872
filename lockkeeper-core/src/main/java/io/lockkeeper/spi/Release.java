package io.lockkeeper.spi;

import io.lockkeeper.Resource;
import java.time.Duration;

/**
 * The end of a claim.
 *
 * @param resource its resource
 * @param claimId its id
 * @param lease its lease
 * @param unanswered whether a request of this claim may still be under way. So it is always for a keeper that ends another's
 *     claim, of which it has seen no answers. Only then the store remembers, for as long as the lease and at least a
 *     minute, to refuse this id, so that the late request grants nothing to nobody; and only then it needs to look
 *     whose claim it was, to tell that keeper
 * @param limit how long the request may take
 */
public record Release(Resource resource, String claimId, Duration lease, boolean unanswered, Duration limit) {

    /** What a release found. */
    public enum Outcome {
        /** The claim held, and does no more. */
        RELEASED,
        /** The claim held nothing: it waited, was lost, or never came. Its place in the queue is gone too. */
        NOT_HELD
    }
}
