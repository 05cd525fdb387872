package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store has given to this keeper of one resource, and who else here may use it.
 *
 * <p><b>Invariant.</b> A grant serves one more only while it is surely held for at least a third of its lease yet, and in a
 * row that is bounded in number and time. Without the first, whoever is woken late would find it ended; without the second,
 * a busy process would never let another one in.
 */
final class Grants {

    private final Terms terms;
    private final List<Grant> grants = new ArrayList<>(1);
    /** Nobody's just now: its holder gave it back, and the first of the queue was called for it. */
    private @Nullable Grant open;

    Grants(Terms terms) {
        this.terms = terms;
    }

    void add(Grant grant) {
        grants.add(grant);
    }

    boolean remove(Grant grant) {
        if (open == grant) {
            open = null;
        }
        return grants.remove(grant);
    }

    boolean contains(Grant grant) {
        return grants.contains(grant);
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

    /**
     * Whether queueing in the store is useless because this keeper itself has what excludes it. A writer queues there though
     * his own keeper reads: else readers of other keepers would go before him for as long as it does.
     */
    boolean makeWaitHere() {
        for (Grant grant : grants) {
            if (grant.request().mode() instanceof Mode.Exclusive) {
                return true;
            }
        }
        return false;
    }

    /** Whether asking the store is useless because this keeper itself has what excludes it. */
    boolean exclude(Mode wanted) {
        for (Grant grant : grants) {
            if (AcquireRequest.exclude(grant.request().mode(), wanted)) {
                return true;
            }
        }
        return false;
    }

    /** The same, but for what is on its way back because it is wanted here in another way: that takes a moment only. */
    boolean bar(Mode wanted) {
        for (Grant grant : grants) {
            if (!grant.returning && AcquireRequest.exclude(grant.request().mode(), wanted)) {
                return true;
            }
        }
        return false;
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

    /** The grant that nobody holds and that is kept for whoever comes next, if there is one. */
    @Nullable
    Grant idle() {
        for (Grant grant : grants) {
            if (grant.isIdle()) {
                return grant;
            }
        }
        return null;
    }

    /** Surely held, and for long enough yet that whoever is given it has time to renew it. */
    static boolean isSafe(Moment now, Grant grant) {
        return !grant.uncertain(now) && grant.remaining(now) >= grant.period();
    }

    /** A shared grant that one more may use while nobody waits to be alone. */
    @Nullable
    Grant joinable(Moment now, AcquireRequest request) {
        for (Grant grant : grants) {
            if (request.shareable()
                    && grant.request().equals(request)
                    && !grant.releasing
                    && !grant.narrowed
                    && !grant.othersWait
                    && mayBeJoined(now, grant)) {
                return grant;
            }
        }
        return null;
    }

    /** Whether one more may share it. */
    boolean mayBeJoined(Moment now, Grant grant) {
        return mayServeOneMore(now, grant, grant.grantedAt().mono());
    }

    /** Whether the next in the queue may have it after its holder, who gives it back now. */
    boolean mayBePassed(Moment now, Grant grant, WaiterQueue queue) {
        if (grant.holds == 1) {
            grant.passingSince = now.mono();
        }
        return mayGoOn(now, grant, queue);
    }

    private boolean mayGoOn(Moment now, Grant grant, WaiterQueue queue) {
        Waiter heir = queue.first();
        if (heir == null
                || queue.hasFair()
                || !grant.request().passable()
                || !heir.request.equals(grant.request())
                || !grant.hasToken()) {
            return false;
        }
        if (grant.isSticky()) {
            // Others need no bound to get their turn: they ask for it.
            return terms.canHandOff() && terms.handOff().times() > 0 && !grant.isWanted() && isSafe(now, grant);
        }
        return mayServeOneMore(now, grant, grant.passingSince);
    }

    /**
     * Whether what is given back now is left open to newcomers while its heir is being woken: not if too many have gone
     * before him already. Permits are not: several may come free at once, and each has an heir of its own. Nor are sticky
     * grants, which another keeper may ask for at any moment.
     */
    boolean mayBeOpen(Moment now, Grant grant, Waiter heir) {
        return grant.request().mode() instanceof Mode.Exclusive
                && !grant.isSticky()
                && (heir.overtaken() == 0 ? terms.barging().times() > 0 : mayPass(now, heir));
    }

    private boolean mayPass(Moment now, Waiter heir) {
        return heir.overtaken() < terms.barging().times()
                && now.mono() - heir.calledAt() <= terms.barging().within().toNanos();
    }

    /** Leaves a grant to whoever comes first: its heir, or somebody new. */
    void open(Grant grant) {
        open = grant;
    }

    @Nullable
    Grant open() {
        return open;
    }

    /** The open grant, if a newcomer may have it before the first of the queue. */
    @Nullable
    Grant forNewcomer(Moment now, Waiter newcomer, WaiterQueue queue) {
        Grant grant = open;
        Waiter heir = queue.first();
        if (grant == null
                || heir == null
                || !newcomer.request.equals(grant.request())
                || !mayPass(now, heir)
                || !mayGoOn(now, grant, queue)) {
            return null;
        }
        heir.overtake();
        open = null;
        return grant;
    }

    /**
     * The open grant for its heir, now that he is awake. Whether the row may go on was decided when he was called; that it is
     * surely held, and for long enough, is looked at again.
     */
    @Nullable
    Grant forHeir(Moment now) {
        Grant grant = open;
        if (grant == null || !isSafe(now, grant)) {
            return null;
        }
        open = null;
        return grant;
    }

    private boolean mayServeOneMore(Moment now, Grant grant, long since) {
        Duration within = terms.handOff().within();
        return terms.canHandOff()
                && grant.holds <= terms.handOff().times()
                && Duration.ofNanos(now.mono() - since).compareTo(within) <= 0
                && isSafe(now, grant);
    }

    /** Those to ask the store about, since something changed there. */
    void doubt(Moment now, long notSince, Effects effects) {
        for (Grant grant : grants) {
            if (!grant.releasing && !grant.isIdle() && now.since(grant.heardAt()) >= notSince) {
                effects.doubted.add(grant);
            }
        }
    }
}
