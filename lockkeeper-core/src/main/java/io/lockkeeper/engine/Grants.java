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

    Grants(Terms terms) {
        this.terms = terms;
    }

    void add(Grant grant) {
        grants.add(grant);
    }

    boolean remove(Grant grant) {
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
        for (Grant grant : grants) {
            if (grant.id().equals(claimId)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether queueing in the store is useless because this keeper itself has what excludes it. A writer queues there though
     * his own keeper reads: else readers of other keepers would go before him for as long as it does.
     */
    boolean makeWaitHere() {
        for (Grant grant : grants) {
            if (grant.wish().mode() instanceof Mode.Exclusive) {
                return true;
            }
        }
        return false;
    }

    /** Whether asking the store is useless because this keeper itself has what excludes it. */
    boolean exclude(Mode wanted) {
        for (Grant grant : grants) {
            if (Wish.exclude(grant.wish().mode(), wanted)) {
                return true;
            }
        }
        return false;
    }

    /** A shared grant that one more may use while nobody waits to be alone. */
    @Nullable
    Grant joinable(Moment now, Wish wish) {
        for (Grant grant : grants) {
            if (wish.shareable()
                    && grant.wish().equals(wish)
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
        Waiter heir = queue.first();
        if (heir == null
                || queue.hasFair()
                || !grant.wish().passable()
                || !heir.wish.equals(grant.wish())
                || !grant.hasToken()) {
            return false;
        }
        if (grant.holds == 1) {
            grant.passingSince = now.mono();
        }
        return mayServeOneMore(now, grant, grant.passingSince);
    }

    private boolean mayServeOneMore(Moment now, Grant grant, long since) {
        Duration within = terms.handOff().within();
        return terms.canHandOff()
                && grant.holds <= terms.handOff().times()
                && Duration.ofNanos(now.mono() - since).compareTo(within) <= 0
                && !grant.uncertain(now)
                && grant.remaining(now) >= grant.period();
    }

    /** Those to ask the store about, since something changed there. */
    void doubt(Moment now, long notSince, Effects effects) {
        for (Grant grant : grants) {
            if (!grant.releasing && grant.renewed() && now.since(grant.contactAt()) >= notSince) {
                effects.doubted.add(grant);
            }
        }
    }
}
