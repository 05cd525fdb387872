package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the store's answer to a renewal or an extension comes to. An answer that comes after the deadline resurrects
 * nothing, and none counts for a grant that is on its way back or ended.
 */
final class RenewalAnswers {

    private final Losses losses;
    private final StickyGrants sticky;

    RenewalAnswers(Losses losses, StickyGrants sticky) {
        this.losses = losses;
        this.sticky = sticky;
    }

    void renewed(Moment now, Grant grant, Moment sentAt, Renewal answer) {
        if (!grant.isKept()) {
            return;
        }
        if (answer instanceof Renewal.Gone gone) {
            losses.lose(now, grant, reason(now, grant, gone));
        } else if (answer instanceof Renewal.Kept kept) {
            grant.noteOthersWait(kept.othersWait());
            if (!grant.renew(now, sentAt, kept.validity())) {
                losses.lose(now, grant, Loss.Reason.EXPIRED);
            } else if (grant.othersWait() && grant.isIdle()) {
                sticky.returnIdle();
            }
        }
    }

    /** @return whether the holds of the grant become uncertain by this */
    boolean failed(Grant grant) {
        return !grant.isEnded() && grant.renewalFailed();
    }

    /** @return the claim to extend in the store; null if it is not held any more */
    @Nullable
    Claim extending(Moment now, EngineHold holding, Duration lease) {
        Grant grant = holding.grant();
        boolean held = !holding.ended() && grant.isKept() && holding.remaining(now) > 0;
        return held ? grant.extending(lease) : null;
    }

    /** @return whether it is held for the longer lease */
    boolean extended(Moment now, EngineHold holding, Moment sentAt, Renewal answer) {
        Grant grant = holding.grant();
        if (holding.ended() || !grant.isKept()) {
            return false;
        }
        if (answer instanceof Renewal.Gone gone) {
            losses.lose(now, grant, reason(now, grant, gone));
        } else if (answer instanceof Renewal.Kept kept) {
            if (grant.extend(now, sentAt, kept.validity())) {
                return true;
            }
            losses.lose(now, grant, Loss.Reason.EXPIRED);
        }
        return false;
    }

    /**
     * Why a grant is gone. A store that has no record of it may say that its lease has ended, which it cannot have while it
     * runs here, since it began here first.
     */
    private static Loss.Reason reason(Moment now, Grant grant, Renewal.Gone gone) {
        boolean runs = grant.remaining(now) > 0;
        return gone.reason() == Loss.Reason.EXPIRED && runs ? Loss.Reason.TAKEN : gone.reason();
    }
}
