package io.lockkeeper.memory;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
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
 * together.
 */
final class Line {

    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();
    private static final long SHORTEST_WAIT = Duration.ofMillis(1).toNanos();

    final Resource resource;
    private final Endings endings;
    private final Set<LeasedStore.Signal> signals;
    private final Map<String, Grant> grants = new LinkedHashMap<>();
    private final Map<String, Place> queue = new LinkedHashMap<>();
    private final Map<String, Presence> presences = new HashMap<>();
    private final Map<String, Long> tombstones = new HashMap<>();
    /** The greatest token of a grant since this name is known again; all from before are smaller. */
    private long newestToken;

    Line(Resource resource, Endings endings, Set<LeasedStore.Signal> signals) {
        this.resource = resource;
        this.endings = endings;
        this.signals = signals;
    }

    Line copy(Endings newEndings, Set<LeasedStore.Signal> newSignals) {
        Line copy = new Line(resource, newEndings, newSignals);
        grants.forEach((id, grant) -> copy.grants.put(id, grant.copy()));
        presences.forEach((id, presence) -> copy.presences.put(id, presence.copy()));
        queue.forEach((id, place) -> copy.queue.put(
                id, new Place(id, place.mode(), place.queueing(), copy.presence(place.presence().keeperId, 0))));
        copy.tombstones.putAll(tombstones);
        copy.newestToken = newestToken;
        return copy;
    }

    /** Takes away whatever is over by now. Everything else here counts on that. */
    void purge(long now) {
        for (Iterator<Grant> all = grants.values().iterator(); all.hasNext(); ) {
            Grant grant = all.next();
            if (grant.isOver(now)) {
                all.remove();
                endings.record(grant.claimId, Loss.Reason.EXPIRED);
            }
        }
        if (presences.values().removeIf(presence -> presence.isForgotten(now))) {
            queue.values().removeIf(place -> place.presence().isForgotten(now));
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
    Grant grant(String claimId) {
        return grants.get(claimId);
    }

    void add(Grant grant) {
        grants.put(grant.claimId, grant);
        newestToken = Math.max(newestToken, grant.lastToken());
    }

    /** Gives a grant that token if it has it already or nobody was given it, or a later one, here. */
    boolean raise(Grant grant, long token) {
        if (token <= newestToken && !grant.owns(token)) {
            return false;
        }
        grant.raise(token);
        newestToken = Math.max(newestToken, token);
        return true;
    }

    @Nullable
    Grant end(String claimId) {
        return grants.remove(claimId);
    }

    Collection<Grant> endAll() {
        List<Grant> ended = new ArrayList<>(grants.values());
        grants.clear();
        return ended;
    }

    void bury(String claimId, long until) {
        tombstones.merge(claimId, until, Math::max);
    }

    boolean isBuried(String claimId) {
        return tombstones.containsKey(claimId);
    }

    /** A keeper was heard of. */
    void stamp(String keeperId, long now) {
        Presence presence = presences.get(keeperId);
        if (presence != null) {
            presence.stamp(now);
        }
    }

    /** Gives a claim the last place, unless it has one. */
    void queue(String keeperId, Claim claim, long now) {
        if (!queue.containsKey(claim.id())) {
            Presence presence = presence(keeperId, now);
            presence.places++;
            queue.put(claim.id(), new Place(claim.id(), claim.mode(), claim.queueing(), presence));
        }
    }

    private Presence presence(String keeperId, long now) {
        return presences.computeIfAbsent(keeperId, id -> new Presence(id, now));
    }

    void leave(String claimId) {
        Place place = queue.remove(claimId);
        if (place != null && --place.presence().places == 0) {
            presences.remove(place.presence().keeperId);
        }
    }

    /** Whether a claim can have it now: it fits beside the grants, and nobody who is before it is passed. */
    boolean admits(Claim claim, int size, long now) {
        if (!fits(claim.mode(), permitsHeld(), size)) {
            return false;
        }
        for (Place ahead : queue.values()) {
            if (ahead.claimId().equals(claim.id())) {
                return true;
            }
            if (ahead.isLive(now) && !mayPass(claim.mode(), ahead.mode())) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Mode mode, int taken, int size) {
        if (mode instanceof Mode.Exclusive) {
            return grants.isEmpty();
        }
        for (Grant grant : grants.values()) {
            if (grant.mode().getClass() != mode.getClass()) {
                return false;
            }
        }
        return !(mode instanceof Mode.Permits permits) || taken + permits.count() <= size;
    }

    private static boolean mayPass(Mode mode, Mode ahead) {
        return mode instanceof Mode.Shared && ahead instanceof Mode.Shared;
    }

    private int permitsHeld() {
        int held = 0;
        for (Grant grant : grants.values()) {
            held += grant.permits();
        }
        return held;
    }

    /** Signals, from the head on, all who would be granted if they asked now. */
    void wake(int size, long now) {
        if (queue.isEmpty()) {
            return;
        }
        int taken = permitsHeld();
        boolean first = true;
        for (Place place : queue.values()) {
            if (!place.isLive(now)) {
                continue;
            }
            boolean alone = place.mode() instanceof Mode.Exclusive;
            if ((alone && !first) || !fits(place.mode(), taken, size)) {
                return;
            }
            signals.add(new LeasedStore.Signal(place.presence().keeperId, resource));
            if (alone) {
                return;
            }
            taken += place.mode() instanceof Mode.Permits permits ? permits.count() : 0;
            first = false;
        }
    }

    boolean othersWait(String keeperId, long now) {
        for (Presence presence : presences.values()) {
            if (!presence.keeperId.equals(keeperId) && presence.isLive(now)) {
                return true;
            }
        }
        return false;
    }

    /** When the next lease ends, or the next keeper before this claim will have been silent for too long. */
    Duration askAgainIn(String claimId, long now) {
        long soonest = now + LONGEST_WAIT;
        for (Grant grant : grants.values()) {
            soonest = Math.min(soonest, grant.expiresAt());
        }
        for (Place ahead : queue.values()) {
            if (ahead.claimId().equals(claimId)) {
                break;
            }
            if (ahead.isLive(now)) {
                soonest = Math.min(soonest, ahead.presence().liveUntil());
            }
        }
        return Duration.ofNanos(Math.max(SHORTEST_WAIT, soonest - now));
    }

    Optional<ResourceState> state(int size, long now) {
        int waiting = 0;
        for (Place place : queue.values()) {
            waiting += place.isLive(now) ? 1 : 0;
        }
        if (grants.isEmpty() && waiting == 0) {
            return Optional.empty();
        }
        List<ResourceState.Grant> held = new ArrayList<>(grants.size());
        for (Grant grant : grants.values()) {
            held.add(grant.state(now));
        }
        return Optional.of(new ResourceState(resource, List.copyOf(held), waiting, size));
    }
}
