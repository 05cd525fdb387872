package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Moment;
import java.util.List;

/** Ends what is not held any more, and has its holders told. */
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
     * A grant is not held any more. Its id is released all the same, unless the store itself said so and no request of it
     * can come late.
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
        if (endedHere || grant.unanswered()) {
            // Renewals may be under way, but a renewal never makes a grant: only attempts leave tombstones.
            releases.endLater(now, grant, grant.unanswered(), out.effects());
        }
        claims.wakeSpeakers(false);
    }

    /** One holder is not to have it any more; those who share the grant, or were handed it since, keep it. */
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
