package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The grants that this keeper has of one resource, until the store has answered their release. At most one is open. */
final class Grants {

    private final Terms terms;
    private final List<Grant> grants = new ArrayList<>(1);

    Grants(Terms terms) {
        this.terms = terms;
    }

    void add(Grant grant) {
        grants.add(grant);
    }

    /**
     * Ends a grant and forgets it.
     *
     * @return false if that has happened before
     */
    boolean end(Grant grant) {
        if (!grants.remove(grant)) {
            return false;
        }
        grant.end();
        return true;
    }

    boolean isEmpty() {
        return grants.isEmpty();
    }

    List<Grant> copy() {
        return List.copyOf(grants);
    }

    boolean knows(String claimId) {
        return of(claimId) != null;
    }

    @Nullable
    Grant of(String claimId) {
        for (Grant grant : grants) {
            if (grant.id().equals(claimId)) {
                return grant;
            }
        }
        return null;
    }

    // --------------------------------------------------------------------------------------------------- conflicts

    /**
     * Whether this keeper has the resource exclusively, so that a place in the store's queue would be useless. A writer
     * queues there though its own keeper reads: else readers of other keepers would go before it for as long as its own does.
     */
    boolean hasExclusive() {
        for (Grant grant : grants) {
            if (grant.request().mode() instanceof Mode.Exclusive) {
                return true;
            }
        }
        return false;
    }

    /** Whether a grant of this keeper excludes the wanted mode, so that a request to the store would be useless now. */
    boolean hasConflict(Mode wanted) {
        for (Grant grant : grants) {
            if (AcquireRequest.exclude(grant.request().mode(), wanted)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether such a conflict will last: grants that are being returned do not count, because the store will have them in a
     * moment.
     */
    boolean hasLastingConflict(Mode wanted) {
        for (Grant grant : grants) {
            if (!grant.isReturning() && AcquireRequest.exclude(grant.request().mode(), wanted)) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------------------------------------- open, idle, shared

    /** The idle grant, if there is one. */
    @Nullable
    Grant idle() {
        for (Grant grant : grants) {
            if (grant.isIdle()) {
                return grant;
            }
        }
        return null;
    }

    /** The open grant, if there is one. */
    @Nullable
    Grant open() {
        for (Grant grant : grants) {
            if (grant.isOpen()) {
                return grant;
            }
        }
        return null;
    }

    /** A shared grant that one more may use while nobody waits for exclusive use. */
    @Nullable
    Grant joinable(Moment now, AcquireRequest request) {
        if (!request.shareable()) {
            return null;
        }
        for (Grant grant : grants) {
            if (grant.request().equals(request)
                    && grant.isKept()
                    && !grant.isNarrowed()
                    && !grant.othersWait()
                    && HandOffRules.mayShare(terms, now, grant)) {
                return grant;
            }
        }
        return null;
    }

    /** Reports the grants that the store is to confirm, because something changed there. */
    void doubt(Moment now, long notSince, Effects effects) {
        for (Grant grant : grants) {
            if (grant.isKept() && !grant.isIdle() && now.since(grant.heardAt()) >= notSince) {
                effects.doubted.add(grant);
            }
        }
    }
}
