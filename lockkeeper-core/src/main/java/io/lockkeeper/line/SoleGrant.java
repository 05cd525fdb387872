package io.lockkeeper.line;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.spi.Mode;

/**
 * The grant of a resource that one claim holds alone and nobody waits for: what a store may keep in columns of its own, and
 * change by statements that know no other rule.
 *
 * @param claimId the claim
 * @param keeperId the keeper that has it
 * @param holder the holder, for people
 * @param lastToken the last token of the grant
 * @param tokens how many tokens it has, at least 1
 * @param grantedAt when it was granted, in nanoseconds of the store's clock
 * @param expiresAt when its lease ends, by the same clock
 */
public record SoleGrant(
        String claimId,
        String keeperId,
        HolderInfo holder,
        long lastToken,
        int tokens,
        long grantedAt,
        long expiresAt) {

    static SoleGrant of(StoredGrant grant) {
        return new SoleGrant(
                grant.claimId,
                grant.keeperId,
                grant.holder,
                grant.lastToken(),
                grant.tokens().count(),
                grant.grantedAt,
                grant.expiresAt());
    }

    StoredGrant stored() {
        return new StoredGrant(
                claimId,
                keeperId,
                holder,
                new TokenCounter.Block(lastToken - tokens + 1, tokens),
                new Mode.Exclusive(),
                grantedAt,
                expiresAt,
                false);
    }
}
