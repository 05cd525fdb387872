package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands beside a server and keeps its own books: who came when, what was granted. It finds tokens that do not go up,
 * grants that nobody asked for any more, releases that hit others, and waiters that were passed over.
 */
final class StoreWatch {

    private static final long LIVE = Duration.ofSeconds(3).toNanos();
    private static final long FORGOTTEN = Duration.ofMinutes(1).toNanos();

    /** A quorum may raise the grants of two resources to the same token. */
    private record Named(Resource resource, long token) {}

    private static final class Arrival {
        final String keeperId;
        final Claim claim;
        long heardOf;

        Arrival(String keeperId, Claim claim, long now) {
            this.keeperId = keeperId;
            this.claim = claim;
            this.heardOf = now;
        }
    }

    private final SimWorld world;
    private final Map<Resource, Long> newest = new HashMap<>();
    private final Map<String, Long> tokenOf = new HashMap<>();
    private final Map<Named, String> claimOf = new HashMap<>();
    private final Set<String> given = new HashSet<>();
    private final Map<Resource, Map<String, Arrival>> arrivals = new HashMap<>();

    StoreWatch(SimWorld world) {
        this.world = world;
    }

    /** The server lost its memory, and with it its queues. */
    void forgetArrivals() {
        arrivals.clear();
    }

    void attempted(LeasedServer server, String keeperId, Claim claim, Answer answer) {
        long now = server.now();
        Map<String, Arrival> waiting = arrivals.computeIfAbsent(claim.resource(), r -> new LinkedHashMap<>());
        waiting.values().removeIf(other -> now - other.heardOf > FORGOTTEN);
        heard(waiting, keeperId, claim, now);
        if (answer instanceof Answer.Granted granted) {
            tokenOf.put(claim.id(), granted.token());
            // A copy that takes over may bring back an older grant of the same claim: that is nothing new.
            if (given.add(claim.id() + '/' + granted.token())) {
                grantedAnew(keeperId, claim, granted, waiting, now);
            }
            waiting.remove(claim.id());
        } else if (answer instanceof Answer.Refused) {
            waiting.remove(claim.id());
        } else if (claim.queueing() != Claim.Queueing.NEVER) {
            waiting.putIfAbsent(claim.id(), new Arrival(keeperId, claim, now));
        }
    }

    private void grantedAnew(
            String keeperId, Claim claim, Answer.Granted granted, Map<String, Arrival> waiting, long now) {
        world.granted(claim, granted);
        claimOf.put(new Named(claim.resource(), granted.token()), claim.id());
        long last = newest.getOrDefault(claim.resource(), Long.MIN_VALUE);
        // A member of a quorum promises nothing by itself; the guard's mistake shows only where tokens are repeated.
        boolean promised = world.plan.store() != Plan.StoreKind.QUORUM && !world.has(PlantedBug.GUARD_ACCEPTS_EQUAL);
        if (promised && granted.token() <= last) {
            throw new Violation(
                    "I1", claim.resource() + " was granted with token " + granted.token() + " after token " + last);
        }
        newest.put(claim.resource(), granted.token() + granted.tokens() - 1);
        if (world.remembers()) {
            SimKeeper keeper = world.keeper(keeperId);
            if (keeper != null && !keeper.isConcernedWith(claim.id())) {
                throw new Violation(
                        "I5",
                        claim.resource() + " was granted to nobody: its keeper " + keeperId + " has done with claim "
                                + claim.id());
            }
            for (Arrival ahead : waiting.values()) {
                if (ahead.claim.id().equals(claim.id())) {
                    break;
                }
                boolean beside = ahead.claim.mode() instanceof Mode.Shared && claim.mode() instanceof Mode.Shared;
                if (!beside && now - ahead.heardOf < LIVE) {
                    throw new Violation(
                            "I7",
                            claim.id() + " got " + claim.resource() + " though " + ahead.claim.id()
                                    + " came before it");
                }
            }
        }
    }

    /** A grant was given a higher token. */
    void raised(Claim claim, long token) {
        tokenOf.put(claim.id(), token);
        claimOf.put(new Named(claim.resource(), token), claim.id());
        newest.merge(claim.resource(), token, Math::max);
    }

    /** A keeper that recalls for a claim is there for that one and for its claims behind it. */
    private static void heard(Map<String, Arrival> waiting, String keeperId, Claim claim, long now) {
        boolean behind = false;
        for (Arrival arrival : waiting.values()) {
            behind |= arrival.claim.id().equals(claim.id());
            if (behind && arrival.keeperId.equals(keeperId)) {
                arrival.heardOf = now;
            }
        }
    }

    boolean isCurrent(String claimId) {
        return tokenOf.containsKey(claimId);
    }

    void released(Release release, List<Long> before, List<Long> after) {
        Map<String, Arrival> waiting = arrivals.get(release.resource());
        if (waiting != null) {
            waiting.remove(release.claimId());
        }
        Long own = tokenOf.get(release.claimId());
        for (Long token : before) {
            boolean ours = token.equals(own) || release.claimId().equals(claimOf(release.resource(), token));
            if (!ours && !after.contains(token)) {
                throw new Violation(
                        "I4",
                        "releasing " + release.claimId() + " ended the grant with token " + token
                                + " of another claim on " + release.resource());
            }
        }
    }

    /** The claim of a grant with that token. */
    @Nullable
    String claimOf(Resource resource, long token) {
        return claimOf.get(new Named(resource, token));
    }

    List<Long> tokens(LeasedStore store, Resource resource, long now) {
        List<Long> tokens = new ArrayList<>();
        store.inspect(resource, now).ifPresent(state -> state.grants().forEach(grant -> tokens.add(grant.token())));
        return tokens;
    }

    /** What a server holds must fit together. */
    void check(ResourceState state) {
        int permits = 0;
        int alone = 0;
        for (ResourceState.Grant grant : state.grants()) {
            permits += grant.permits();
            alone += grant.shared() || grant.permits() > 0 ? 0 : 1;
        }
        if (permits > SimWorld.PERMITS || (alone > 0 && state.grants().size() > 1)) {
            throw new Violation("I8", "the store has granted " + state);
        }
    }

    // ----------------------------------------------------------------------------------------- for planted bugs only

    /** Takes everybody out of the store's queue who came before this claim. */
    void letLastPass(LeasedStore store, Claim claim, long now) {
        Map<String, Arrival> waiting = arrivals.getOrDefault(claim.resource(), Map.of());
        String last = claim.id();
        for (String id : waiting.keySet()) {
            last = waiting.containsKey(claim.id()) ? id : last;
        }
        if (last.equals(claim.id())) {
            takeOut(store, waiting, claim, now, false);
        }
    }

    /** Takes the writers out of the store's queue. */
    void letReaderPass(LeasedStore store, Claim claim, long now) {
        takeOut(store, arrivals.getOrDefault(claim.resource(), Map.of()), claim, now, true);
    }

    private static void takeOut(
            LeasedStore store, Map<String, Arrival> waiting, Claim claim, long now, boolean writersOnly) {
        for (Arrival other : waiting.values()) {
            boolean writes = other.claim.mode() instanceof Mode.Exclusive;
            if (!other.claim.id().equals(claim.id()) && (writes || !writersOnly)) {
                Release out =
                        new Release(claim.resource(), other.claim.id(), claim.lease(), false, Duration.ofSeconds(1));
                store.release(other.keeperId, out, now);
            }
        }
    }
}
