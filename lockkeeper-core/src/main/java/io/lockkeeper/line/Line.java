package io.lockkeeper.line;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One resource: its grants, its queue in the order of arrival, and the ids that must not come back.
 *
 * <p>A claim may pass a place before it only if the two could hold together (shared beside shared) or if that place's
 * keeper has been silent for 3 s. Semaphores keep strict order: else a claim for many permits would never find them free
 * together. A claim for more permits than the semaphore has now is passed: it waits for the semaphore to grow, and nobody has
 * to wait for that.
 */
final class Line {

    private static final long SHORTEST_WAIT = WaiterTimes.SHORTEST_POLL.toNanos();

    final Resource resource;
    private final Endings endings;
    private final Set<LeasedStore.Signal> signals;
    private final Map<String, StoredGrant> grants = new LinkedHashMap<>();
    private final Map<String, QueuePlace> queue = new LinkedHashMap<>();
    private final Map<String, Long> tombstones = new HashMap<>();
    /** The greatest token of a grant since this name is known again; all from before are smaller. */
    private long newestToken;
    /** The waiting claim that was signalled because it may have the resource alone, since the last exclusive grant; or empty. */
    private String lastTold = "";

    Line(Resource resource, Endings endings, Set<LeasedStore.Signal> signals) {
        this.resource = resource;
        this.endings = endings;
        this.signals = signals;
    }

    Line copy(Endings newEndings, Set<LeasedStore.Signal> newSignals) {
        Line copy = new Line(resource, newEndings, newSignals);
        grants.forEach((id, grant) -> copy.grants.put(id, grant.copy()));
        queue.forEach((id, place) -> copy.queue.put(id, place.copy()));
        copy.tombstones.putAll(tombstones);
        copy.newestToken = newestToken;
        copy.lastTold = lastTold;
        return copy;
    }

    /** A line as it was written: {@code grants} and {@code places} in their order. */
    Line(Resource resource, Endings endings, Set<LeasedStore.Signal> signals, LineState state) {
        this(resource, endings, signals);
        state.grants().forEach(grant -> grants.put(grant.claimId, grant));
        state.places().forEach(place -> queue.put(place.claimId, place));
        tombstones.putAll(state.tombstones());
        newestToken = state.newestToken();
        lastTold = state.lastTold();
    }

    /** What is to be written: copies, which a later step does not change. */
    LineState state() {
        return new LineState(
                grants.values().stream().map(StoredGrant::copy).toList(),
                queue.values().stream().map(QueuePlace::copy).toList(),
                Map.copyOf(tombstones),
                newestToken,
                lastTold);
    }

    /** Takes away whatever is over by now. Everything else here counts on that. */
    void purge(long now) {
        for (Iterator<StoredGrant> all = grants.values().iterator(); all.hasNext(); ) {
            StoredGrant grant = all.next();
            if (grant.isOver(now)) {
                all.remove();
                endings.record(resource, grant.claimId, Loss.Reason.EXPIRED);
            }
        }
        queue.values().forEach(place -> place.notAheadOf(now));
        if (queue.values().removeIf(place -> place.isForgotten(now)) && !queue.containsKey(lastTold)) {
            lastTold = "";
        }
        tombstones.values().removeIf(until -> now >= until);
    }

    boolean isEmpty() {
        return grants.isEmpty() && queue.isEmpty() && tombstones.isEmpty();
    }

    boolean isHeld() {
        return !grants.isEmpty();
    }

    @Nullable
    StoredGrant grant(String claimId) {
        return grants.get(claimId);
    }

    void add(StoredGrant grant) {
        grants.put(grant.claimId, grant);
        if (grant.mode() instanceof Mode.Exclusive) {
            lastTold = "";
        }
        newestToken = Math.max(newestToken, grant.lastToken());
    }

    /** Gives a grant that token if it has it already or nobody was given it, or a later one, here. */
    boolean raise(StoredGrant grant, long token) {
        if (token <= newestToken && !grant.owns(token)) {
            return false;
        }
        grant.raise(token);
        newestToken = Math.max(newestToken, token);
        return true;
    }

    @Nullable
    StoredGrant end(String claimId) {
        return grants.remove(claimId);
    }

    Collection<StoredGrant> endAll() {
        List<StoredGrant> ended = new ArrayList<>(grants.values());
        grants.clear();
        return ended;
    }

    void bury(String claimId, long until) {
        tombstones.merge(claimId, until, Math::max);
    }

    boolean isBuried(String claimId) {
        return tombstones.containsKey(claimId);
    }

    /**
     * A keeper sent a request for a claim: that one and all of its claims behind it are alive. Those before it are not stamped: the
     * keeper would have sent the request of the first of them. Otherwise a claim that its keeper has forgotten, such as one that a
     * failover brought back, would be kept alive by its keeper's other claims and bar the resource forever.
     */
    void stamp(String claimId, long now) {
        QueuePlace requested = queue.get(claimId);
        boolean behind = false;
        for (QueuePlace place : requested == null ? List.<QueuePlace>of() : queue.values()) {
            behind |= place == requested;
            if (behind && requested != null && place.keeperId.equals(requested.keeperId)) {
                place.stamp(now);
            }
        }
    }

    /** Gives a claim the last place, unless it has one. */
    void queue(String keeperId, Claim claim, long now) {
        if (!queue.containsKey(claim.id())) {
            queue.put(claim.id(), new QueuePlace(keeperId, claim, now));
        }
    }

    boolean isQueued(String claimId) {
        return queue.containsKey(claimId);
    }

    void leave(String claimId) {
        queue.remove(claimId);
        if (claimId.equals(lastTold)) {
            lastTold = "";
        }
    }

    /** Whether a claim can have the resource now: it fits beside the grants, and passes no claim that it must not pass. */
    boolean admits(Claim claim, int size, long now) {
        if (!fits(claim.mode(), permitsHeld(), size)) {
            return false;
        }
        for (QueuePlace ahead : queue.values()) {
            if (ahead.claimId.equals(claim.id())) {
                return true;
            }
            if (ahead.isLive(now) && !mayPass(claim.mode(), ahead.mode, size)) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Mode mode, int taken, int size) {
        if (mode instanceof Mode.Exclusive) {
            return grants.isEmpty();
        }
        for (StoredGrant grant : grants.values()) {
            if (grant.mode().getClass() != mode.getClass()) {
                return false;
            }
        }
        return !(mode instanceof Mode.Permits permits) || taken + permits.count() <= size;
    }

    private static boolean mayPass(Mode mode, Mode ahead, int size) {
        return (mode instanceof Mode.Shared && ahead instanceof Mode.Shared) || isBeyond(ahead, size);
    }

    /** Whether it wants more permits than there are. */
    private static boolean isBeyond(Mode mode, int size) {
        return mode instanceof Mode.Permits permits && permits.count() > size;
    }

    private int permitsHeld() {
        int held = 0;
        for (StoredGrant grant : grants.values()) {
            held += grant.permits();
        }
        return held;
    }

    /**
     * Signals, from the head on, the keepers of all claims that would be granted if they were attempted now.
     *
     * <p>A newcomer does not repeat the signal to the first claim if that one wants the resource alone: between a release and
     * its confirmation many may come. If the signal is lost, the first claim's poll makes up for it, and every other poll.
     *
     * @param requester the keeper whose request is being executed, which needs no hint; null if none
     * @param newcomer whether that request is for a claim that did not wait before
     */
    void wake(@Nullable String requester, boolean newcomer, int size, long now) {
        if (queue.isEmpty()) {
            return;
        }
        int taken = permitsHeld();
        boolean first = true;
        for (QueuePlace place : queue.values()) {
            if (!place.isLive(now) || isBeyond(place.mode, size)) {
                continue;
            }
            boolean alone = place.mode instanceof Mode.Exclusive;
            if ((alone && !first) || !fits(place.mode, taken, size)) {
                return;
            }
            boolean told = newcomer && alone && place.claimId.equals(lastTold);
            boolean knows = told || place.keeperId.equals(requester);
            if (!knows) {
                signals.add(new LeasedStore.Signal(place.keeperId, resource));
                lastTold = alone ? place.claimId : lastTold;
            }
            if (alone) {
                return;
            }
            taken += place.mode instanceof Mode.Permits permits ? permits.count() : 0;
            first = false;
        }
    }

    /** Recalls the sticky grants of other keepers; returns whether there are any. */
    boolean recall(String claimant) {
        boolean recalled = false;
        for (StoredGrant grant : grants.values()) {
            if (grant.isSticky() && !grant.keeperId.equals(claimant)) {
                signals.add(new LeasedStore.Signal(grant.keeperId, resource, grant.claimId));
                recalled = true;
            }
        }
        return recalled;
    }

    boolean othersWait(String keeperId, long now) {
        for (QueuePlace place : queue.values()) {
            if (!place.keeperId.equals(keeperId) && place.isLive(now)) {
                return true;
            }
        }
        return false;
    }

    /** When the next lease ends, or the next keeper before this claim will have been silent for too long. */
    Duration retryIn(String claimId, long now) {
        long soonest = now + WaiterTimes.LONGEST_POLL.toNanos();
        for (StoredGrant grant : grants.values()) {
            soonest = Math.min(soonest, grant.expiresAt());
        }
        for (QueuePlace ahead : queue.values()) {
            if (ahead.claimId.equals(claimId)) {
                break;
            }
            if (ahead.isLive(now)) {
                soonest = Math.min(soonest, ahead.liveUntil());
            }
        }
        return Duration.ofNanos(Math.max(SHORTEST_WAIT, soonest - now));
    }

    Optional<ResourceState> state(int size, long now) {
        int waiting = 0;
        for (QueuePlace place : queue.values()) {
            waiting += place.isLive(now) ? 1 : 0;
        }
        if (grants.isEmpty() && waiting == 0) {
            return Optional.empty();
        }
        List<ResourceState.Grant> held = new ArrayList<>(grants.size());
        for (StoredGrant grant : grants.values()) {
            held.add(grant.state(now));
        }
        return Optional.of(new ResourceState(resource, List.copyOf(held), waiting, size));
    }
}
