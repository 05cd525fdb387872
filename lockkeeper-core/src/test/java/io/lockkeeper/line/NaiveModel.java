package io.lockkeeper.line;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of a leased store once more, written for being obviously right: flat lists, everything filtered by the time of
 * asking, nothing cached, nothing shared between claims.
 */
final class NaiveModel {

    private static final long SECOND = 1_000_000_000L;

    private static final class Held {
        Claim claim;
        String keeper;
        Mode mode;
        long token;
        int tokens;
        long until;
    }

    private static final class Waiting {
        Claim claim;
        String keeper;
        long stamped;
    }

    private record Tombstone(String id, Resource resource, long until) {}

    private final List<Held> held = new ArrayList<>();
    private final List<Waiting> queue = new ArrayList<>();
    private final List<Tombstone> tombstones = new ArrayList<>();
    private final Map<Resource, Integer> sizes = new HashMap<>();
    private final Map<String, Loss.Reason> ended = new HashMap<>();
    private long lastToken;

    private void forget(Resource touched, long now) {
        for (Held h : List.copyOf(held)) {
            if (h.claim.resource().equals(touched) && h.until <= now) {
                held.remove(h);
                ended.put(h.claim.id(), Loss.Reason.EXPIRED);
            }
        }
        queue.removeIf(w -> w.claim.resource().equals(touched) && now - w.stamped > 60 * SECOND);
    }

    private List<Held> holders(Resource resource, long now) {
        return held.stream()
                .filter(h -> h.claim.resource().equals(resource) && h.until > now)
                .toList();
    }

    private List<Waiting> live(Resource resource, long now) {
        return queue.stream()
                .filter(w -> w.claim.resource().equals(resource) && now - w.stamped < 3 * SECOND)
                .toList();
    }

    private boolean together(List<Mode> modes, Resource resource) {
        if (modes.size() <= 1 && !(modes.get(0) instanceof Mode.Permits)) {
            return true;
        }
        int sum = 0;
        boolean allShared = true;
        boolean allPermits = true;
        for (Mode mode : modes) {
            allShared &= mode instanceof Mode.Shared;
            allPermits &= mode instanceof Mode.Permits;
            sum += mode instanceof Mode.Permits p ? p.count() : 0;
        }
        return allShared || (allPermits && sum <= sizes.getOrDefault(resource, 0));
    }

    /** Whether a claim would be granted: beside the holders, and without passing anyone live it could not stand beside. */
    private boolean grantable(Claim claim, long now) {
        List<Mode> modes = new ArrayList<>();
        holders(claim.resource(), now).forEach(h -> modes.add(h.mode));
        modes.add(claim.mode());
        if (!together(modes, claim.resource())) {
            return false;
        }
        for (Waiting ahead : ahead(claim, now)) {
            boolean bothShared = ahead.claim.mode() instanceof Mode.Shared && claim.mode() instanceof Mode.Shared;
            if (!bothShared) {
                return false;
            }
        }
        return true;
    }

    private List<Waiting> ahead(Claim claim, long now) {
        List<Waiting> ahead = new ArrayList<>();
        for (Waiting w : queue) {
            if (w.claim.id().equals(claim.id())) {
                break;
            }
            if (w.claim.resource().equals(claim.resource()) && now - w.stamped < 3 * SECOND) {
                ahead.add(w);
            }
        }
        return ahead;
    }

    /** Ids of the live queued claims of a resource that would be granted if their keepers asked now, one at a time. */
    Set<String> grantableKeepers(Resource resource, long now) {
        Set<String> keepers = new HashSet<>();
        for (Waiting w : live(resource, now)) {
            if (grantable(w.claim, now)) {
                keepers.add(w.keeper);
            }
        }
        return keepers;
    }

    Set<String> queuedKeepers(Resource resource) {
        Set<String> keepers = new HashSet<>();
        queue.stream().filter(w -> w.claim.resource().equals(resource)).forEach(w -> keepers.add(w.keeper));
        return keepers;
    }

    Set<String> holdingKeepers(Resource resource, long now) {
        Set<String> keepers = new HashSet<>();
        holders(resource, now).forEach(h -> keepers.add(h.keeper));
        return keepers;
    }

    Answer attempt(String keeper, Claim claim, long now) {
        forget(claim.resource(), now);
        boolean behind = false;
        for (Waiting w : queue) {
            behind |= w.claim.id().equals(claim.id());
            if (behind && w.keeper.equals(keeper) && w.claim.resource().equals(claim.resource())) {
                w.stamped = now;
            }
        }
        for (Held h : holders(claim.resource(), now)) {
            if (h.claim.id().equals(claim.id())) {
                h.until = now + claim.lease().toNanos();
                return new Answer.Granted(h.token, h.tokens, claim.lease());
            }
        }
        for (Tombstone t : tombstones) {
            if (t.id.equals(claim.id()) && t.resource.equals(claim.resource()) && t.until > now) {
                return new Answer.Refused(Answer.Cause.RELEASED, "");
            }
        }
        if (claim.mode() instanceof Mode.Permits p) {
            Integer size = sizes.putIfAbsent(claim.resource(), p.of());
            if (size != null && size != p.of()) {
                queue.removeIf(w -> w.claim.id().equals(claim.id()));
                return new Answer.Refused(Answer.Cause.FINAL, "");
            }
        }
        if (grantable(claim, now)) {
            queue.removeIf(w -> w.claim.id().equals(claim.id()));
            Held h = new Held();
            h.claim = claim;
            h.keeper = keeper;
            h.mode = claim.mode();
            h.token = lastToken + 1;
            h.tokens = claim.tokens();
            h.until = now + claim.lease().toNanos();
            lastToken += claim.tokens();
            held.add(h);
            return new Answer.Granted(h.token, h.tokens, claim.lease());
        }
        if (claim.queueing() != Claim.Queueing.NEVER
                && queue.stream().noneMatch(w -> w.claim.id().equals(claim.id()))) {
            Waiting w = new Waiting();
            w.claim = claim;
            w.keeper = keeper;
            w.stamped = now;
            queue.add(w);
        }
        long soonest = now + SECOND;
        for (Held h : holders(claim.resource(), now)) {
            soonest = Math.min(soonest, h.until);
        }
        for (Waiting w : ahead(claim, now)) {
            soonest = Math.min(soonest, w.stamped + 3 * SECOND);
        }
        return new Answer.Wait(Duration.ofNanos(Math.max(1_000_000, soonest - now)));
    }

    Release.Outcome release(Release release, long now) {
        forget(release.resource(), now);
        boolean was = held.removeIf(h -> h.claim.id().equals(release.claimId()) && h.until > now);
        queue.removeIf(w -> w.claim.id().equals(release.claimId()));
        if (release.unanswered()) {
            long until = now + Math.max(release.lease().toNanos(), 60 * SECOND);
            tombstones.add(new Tombstone(release.claimId(), release.resource(), until));
        }
        return was ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    Renewal renew(Claim claim, long now) {
        forget(claim.resource(), now);
        for (Held h : holders(claim.resource(), now)) {
            if (h.claim.id().equals(claim.id())) {
                h.until = now + claim.lease().toNanos();
                boolean others = live(claim.resource(), now).stream().anyMatch(w -> !w.keeper.equals(h.keeper));
                return new Renewal.Kept(claim.lease(), others);
            }
        }
        Loss.Reason why = ended.get(claim.id());
        boolean taken = !holders(claim.resource(), now).isEmpty();
        return new Renewal.Gone(
                why == Loss.Reason.FORCED || (why == Loss.Reason.EXPIRED && !taken) ? why : Loss.Reason.TAKEN);
    }

    boolean narrow(Claim claim, Mode to, long now) {
        forget(claim.resource(), now);
        for (Held h : holders(claim.resource(), now)) {
            if (h.claim.id().equals(claim.id())) {
                if (to instanceof Mode.Permits p && h.mode instanceof Mode.Permits q && p.count() < q.count()) {
                    h.mode = to;
                } else if (to instanceof Mode.Shared && h.mode instanceof Mode.Exclusive) {
                    h.mode = to;
                }
                return true;
            }
        }
        return false;
    }

    boolean forceRelease(Resource resource, long now) {
        forget(resource, now);
        List<Held> all = holders(resource, now);
        all.forEach(h -> ended.put(h.claim.id(), Loss.Reason.FORCED));
        held.removeAll(all);
        return !all.isEmpty();
    }

    void resize(Resource resource, int permits, long now) {
        forget(resource, now);
        sizes.put(resource, permits);
    }

    /** Tokens of the grants of a resource, the order of granting, then how many wait. */
    List<Long> picture(Resource resource, long now) {
        forget(resource, now);
        List<Long> picture = new ArrayList<>();
        holders(resource, now).forEach(h -> picture.add(h.token));
        picture.add((long) live(resource, now).size());
        return picture;
    }
}
