package io.lockkeeper.line;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;

/** A grant: what the store gave to a keeper for one of its claims. */
final class StoredGrant {

    final String claimId;
    final String keeperId;
    final HolderInfo holder;
    private TokenCounter.Block tokens;
    private Mode mode;
    private long expiresAt;
    private boolean sticky;
    final long grantedAt;

    StoredGrant(String keeperId, Claim claim, TokenCounter.Block tokens, long now) {
        this.claimId = claim.id();
        this.keeperId = keeperId;
        this.holder = claim.holder();
        this.tokens = tokens;
        this.mode = claim.mode();
        this.grantedAt = now;
        this.expiresAt = now + claim.lease().toNanos();
        this.sticky = claim.sticky();
    }

    /** A grant as it was written. */
    StoredGrant(
            String claimId,
            String keeperId,
            HolderInfo holder,
            TokenCounter.Block tokens,
            Mode mode,
            long grantedAt,
            long expiresAt,
            boolean sticky) {
        this.claimId = claimId;
        this.keeperId = keeperId;
        this.holder = holder;
        this.tokens = tokens;
        this.mode = mode;
        this.grantedAt = grantedAt;
        this.expiresAt = expiresAt;
        this.sticky = sticky;
    }

    private StoredGrant(StoredGrant other) {
        claimId = other.claimId;
        keeperId = other.keeperId;
        holder = other.holder;
        tokens = other.tokens;
        mode = other.mode;
        expiresAt = other.expiresAt;
        sticky = other.sticky;
        grantedAt = other.grantedAt;
    }

    StoredGrant copy() {
        return new StoredGrant(this);
    }

    /** The answer to a claim, for which the grant was just made or extended. */
    Answer answer(Claim claim) {
        return new Answer.Granted(tokens.first(), tokens.count(), claim.lease());
    }

    /** It lasts for this lease from now. */
    void renew(Duration newLease, long now) {
        expiresAt = now + newLease.toNanos();
    }

    /** The same, but what lasts longer stays as it is: a late request must not take away what a later one gave. */
    void extend(Duration newLease, long now) {
        expiresAt = Math.max(expiresAt, now + newLease.toNanos());
    }

    TokenCounter.Block tokens() {
        return tokens;
    }

    long lastToken() {
        return tokens.first() + tokens.count() - 1;
    }

    boolean owns(long token) {
        return token >= tokens.first() && token <= lastToken();
    }

    void raise(long token) {
        tokens = new TokenCounter.Block(token, 1);
    }

    boolean isOver(long now) {
        return now >= expiresAt;
    }

    long expiresAt() {
        return expiresAt;
    }

    Mode mode() {
        return mode;
    }

    int permits() {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    boolean isShared() {
        return mode instanceof Mode.Shared;
    }

    /** Only ever gets less, so a late or doubled request does nothing. */
    void narrow(Mode to) {
        boolean less = mode instanceof Mode.Permits have
                ? to instanceof Mode.Permits wanted && wanted.count() < have.count()
                : mode instanceof Mode.Exclusive && to instanceof Mode.Shared;
        if (less) {
            mode = to;
            sticky = false;
        }
    }

    /** Whether its keeper may keep it while nothing in its process holds it, so that others have to recall it. */
    boolean isSticky() {
        return sticky;
    }

    ResourceState.Grant state(long now) {
        return new ResourceState.Grant(
                holder,
                tokens.first(),
                isShared(),
                permits(),
                Duration.ofNanos(expiresAt - now),
                Duration.ofNanos(Math.max(0, now - grantedAt)));
    }
}
