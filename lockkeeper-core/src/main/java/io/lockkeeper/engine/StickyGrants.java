package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Sticky grants: what is kept here though nobody holds it, until somebody here takes it or another keeper asks for it.
 *
 * <p><b>Invariant.</b> An idle grant is held by nobody and waited for by nobody here. It becomes taken or goes back in one
 * step, so never both. Only word about its own claim sends it back early, and once that word came it is neither kept nor
 * handed on.
 *
 * <p>What would break it:
 *
 * <ul>
 *   <li>Looking in one step and taking in another: word comes in between, the release is sent, another keeper is granted it,
 *       and two hold it. The same if the release were sent before it is noted here.
 *   <li>Word about an earlier grant that comes late: obeyed, it sends back what nobody asked for; so it names the claim.
 *   <li>Word that comes while it is held: forgotten, a busy process would keep it for ever, since it is never idle when word
 *       comes; so it stays with the grant.
 *   <li>A process that sleeps while it is idle: taken after the deadline, it is held by another keeper too; so it must be
 *       sure for a third of the lease yet, as for a hand-off, and whoever takes it looks again when he wakes.
 *   <li>Every word is lost: the renewal's answer says that others wait, and an idle grant is not renewed, so it ends.
 * </ul>
 */
final class StickyGrants {

    private final Grants grants;
    private final PendingReleases releases;
    private final Outbox out;

    StickyGrants(Grants grants, PendingReleases releases, Outbox out) {
        this.grants = grants;
        this.releases = releases;
        this.out = out;
    }

    /** Keeps what its last holder gives back, unless somebody waits for it here or elsewhere. */
    boolean keep(Moment now, Grant grant, WaiterQueue queue) {
        if (!queue.isEmpty()
                || !grant.isSticky()
                || grant.keepFor.isZero()
                || grant.isWanted()
                || !grant.hasToken()
                || !Grants.isSafe(now, grant)) {
            return false;
        }
        grant.keep(now);
        watch(grant);
        return true;
    }

    /** One who looks is enough: if it was taken meanwhile, he is asked to come again. */
    private void watch(Grant grant) {
        if (!grant.watched) {
            grant.watched = true;
            out.effects().kept.add(grant);
        }
    }

    /** Somebody comes: he has what is kept, or it goes back and he asks the store. */
    @Nullable
    Grant take(Moment now, AcquireRequest request) {
        Grant idle = grants.idle();
        if (idle == null) {
            return null;
        }
        if (!request.canTake(idle.request()) || now.mono() >= idle.keptUntil() || !Grants.isSafe(now, idle)) {
            giveBack(idle);
            return null;
        }
        idle.keepNoLonger();
        return idle;
    }

    /** Another keeper wants what this claim holds. Of an earlier grant, or one on its way back, nothing is to be done. */
    void recall(String claimId) {
        Grant grant = grants.of(claimId);
        if (grant != null) {
            grant.recalled = true;
            if (grant.isIdle()) {
                giveBack(grant);
            }
        }
    }

    /** The time may be over for which a grant is kept, unless it was taken and kept again since. */
    void longEnough(Moment now, Grant grant) {
        grant.watched = false;
        if (grant.isIdle()) {
            if (now.mono() >= grant.keptUntil()) {
                giveBack(grant);
            } else {
                watch(grant);
            }
        }
    }

    /** Something changed in the store, perhaps for what is kept: no use asking about it. */
    void giveBack() {
        Grant idle = grants.idle();
        if (idle != null) {
            giveBack(idle);
        }
    }

    private void giveBack(Grant idle) {
        idle.keepNoLonger();
        idle.returning = true;
        out.effects().returned.add(send(idle, null));
    }

    /** Ends a grant here, and says what the store is to be told. */
    ReleaseStep.Send send(Grant grant, Step.@Nullable Attempt along) {
        grant.releasing = true;
        grant.end();
        out.effects().ended.add(grant);
        return new ReleaseStep.Send(grant, releases.end(grant, grant.unanswered()), along);
    }
}
