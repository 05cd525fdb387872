package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Sticky grants: grants that are kept here though nobody holds them, until a waiter here takes them or another keeper
 * recalls them.
 *
 * <p><b>Invariant.</b> An idle grant is held by nobody and waited for by nobody here. It is taken or sent back in one step,
 * so never both. Only a recall of its own claim sends it back early, and a grant that was recalled is neither kept nor handed
 * on.
 *
 * <p>What would break it:
 *
 * <ul>
 *   <li>Looking in one step and taking in another: a recall comes in between, the release is sent, another keeper is granted
 *       it, and two hold it. The same if the release were sent before it is noted here.
 *   <li>The recall of an earlier grant that comes late: obeyed, it sends back what nobody wants; so it names the claim.
 *   <li>A recall that comes while the grant is held: forgotten, a busy process would keep the grant forever, since it is
 *       never idle when a recall comes; so it stays with the grant.
 *   <li>A process that is suspended while the grant is idle: taken after the deadline, it is held by another keeper too; so
 *       it must be safe as for a hand-off, and a waiter that took it looks again in its turn.
 *   <li>Every recall is lost: the answer to a renewal says that others wait, and an idle grant is not renewed, so it ends.
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

    /** Keeps a grant that its last holder released. */
    void keep(Moment now, Grant grant) {
        grant.keepIdle(now);
        watch(grant);
    }

    /** Asks for a timer, unless one is set: a timer that finds the grant taken and kept again is set again. */
    private void watch(Grant grant) {
        if (!grant.watched) {
            grant.watched = true;
            out.effects().keep(grant);
        }
    }

    /** Returns the idle grant for a waiter to take now; one that the waiter cannot use is sent back. */
    @Nullable
    Grant takeOrReturn(Moment now, AcquireRequest request) {
        Grant idle = grants.idle();
        if (idle == null) {
            return null;
        }
        if (!request.canTake(idle.request()) || now.mono() >= idle.keptUntil() || !HandOffRules.isSafe(now, idle)) {
            sendBack(idle);
            return null;
        }
        return idle;
    }

    /** Another keeper wants the grant of this claim. A recall of an earlier grant, or of one on its way back, does nothing. */
    void recall(String claimId) {
        Grant grant = grants.of(claimId);
        if (grant != null) {
            grant.recall();
            if (grant.isIdle()) {
                sendBack(grant);
            }
        }
    }

    /** The time for which a grant is kept may be over, unless it was taken and kept again since. */
    void longEnough(Moment now, Grant grant) {
        grant.watched = false;
        if (grant.isIdle()) {
            if (now.mono() >= grant.keptUntil()) {
                sendBack(grant);
            } else {
                watch(grant);
            }
        }
    }

    /** Sends the idle grant back, if there is one: other keepers may want it. */
    void returnIdle() {
        Grant idle = grants.idle();
        if (idle != null) {
            sendBack(idle);
        }
    }

    private void sendBack(Grant idle) {
        Effects effects = out.effects();
        effects.sendBack(releases.send(idle, null, effects));
    }
}
