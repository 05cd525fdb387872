package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Moment;
import java.util.List;

/** Ends grants that are lost, and has their holders notified. */
final class Losses {

    private final PendingClaims claims;
    private final Grants grants;
    private final PendingReleases releases;
    private final Outbox out;

    Losses(PendingClaims claims, Grants grants, PendingReleases releases, Outbox out) {
        this.claims = claims;
        this.grants = grants;
        this.releases = releases;
        this.out = out;
    }

    /**
     * Ends a grant that is not held any more. Its claim is released all the same, unless the store itself reported the loss
     * and no request of the claim can arrive late, or its session ends: with the keeper, or because the keeper had no contact for too
     * long. The store then gives up the session, and all its grants with it; to release each of ten thousand would only take long.
     */
    void lose(Moment now, Grant grant, Loss.Reason reason) {
        if (!grants.end(grant)) {
            return;
        }
        out.effects().ended.add(grant);
        for (EngineHold holding : List.copyOf(grant.holdings())) {
            holding.markLost(reason);
            out.effects().lose(holding, reason);
        }
        grant.holdings().clear();
        boolean endedHere =
                reason == Loss.Reason.EXPIRED || reason == Loss.Reason.KEEPER_CLOSED || reason == Loss.Reason.FORGOTTEN;
        boolean endsWithSession =
                grant.isSessionOver(now) || (grant.isInSession() && reason == Loss.Reason.KEEPER_CLOSED);
        if ((endedHere || grant.unanswered()) && !endsWithSession) {
            // Renewals may be under way, but a renewal never makes a grant: only attempts leave tombstones.
            releases.endLater(now, grant, grant.unanswered(), out.effects());
        }
        claims.wakeSpeakers(false);
    }

    /** Takes a grant from one hold; holds that share it, or were handed it since, keep it. */
    void lose(Moment now, EngineHold holding, Loss.Reason reason) {
        Grant grant = holding.grant();
        if (grant.holdings().contains(holding) && grant.holdings().size() == 1) {
            lose(now, grant, reason);
        } else if (grant.drop(holding)) {
            holding.markLost(reason);
            out.effects().lose(holding, reason);
        }
    }
}
