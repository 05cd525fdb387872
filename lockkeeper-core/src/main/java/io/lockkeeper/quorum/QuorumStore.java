package io.lockkeeper.quorum;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.ReleaseRound;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to a {@link Quorum}: turns each call into rounds and their outcome into an answer.
 *
 * <p>Members see a new id in every round, because a round that gets nothing ends its claim on all of them and an id is never
 * used again after its release; the engine's claim keeps its id all the while.
 */
final class QuorumStore implements Store, NarrowingStore, ExtendingStore, SemaphoreStore, ForceReleaseStore {

    private final Rounds rounds;
    private final PermitSlots slots;
    private final TurnLocks turns;
    private final Retries retries;
    private final Members members;
    private final Clocks clocks;
    private final Map<String, ClaimEntry> entries = new ConcurrentHashMap<>();
    private final Tombstones tombstones = new Tombstones();
    /**
     * Whether a quorum of the members answered, and voted, when that was last needed. What needs no member says nothing about it: an
     * attempt that fails is followed by its release, of which nothing is left here.
     */
    private volatile boolean reachable = true;
    /** The ids of all members when all of them could last be asked. */
    private volatile List<String> memberIds = List.of();

    QuorumStore(Members members) {
        this.members = members;
        this.clocks = members.clocks();
        this.rounds = new Rounds(members);
        this.slots = new PermitSlots(members, rounds);
        this.turns = new TurnLocks(members, rounds);
        this.retries = new Retries(members);
    }

    @Override
    public boolean isReachable() {
        return reachable;
    }

    @Override
    public Answer attempt(Claim claim) {
        return members.call(() -> attemptNow(claim));
    }

    private Answer attemptNow(Claim claim) {
        Duration longest = members.rules().longestLease();
        if (claim.lease().compareTo(longest) > 0) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The quorum's longest lease is " + Durations.text(longest) + ", so one of "
                            + Durations.text(claim.lease()) + " is refused; shorten it or raise that setting");
        }
        ClaimEntry entry = entries.computeIfAbsent(claim.id(), id -> new ClaimEntry());
        entry.lock.lock();
        try {
            if (entry.ended || tombstones.contains(claim.id(), clocks.now())) {
                entries.remove(claim.id(), entry);
                return new Answer.Refused(
                        Answer.Cause.RELEASED,
                        "The claim on " + claim.resource() + " was released before; take a new id");
            }
            Answer again = entry.parts.isEmpty() ? null : again(entry);
            return again == null ? first(entry, claim) : again;
        } finally {
            boolean waits = entry.failures > 0 && claim.queueing() != Claim.Queueing.NEVER;
            if (entry.parts.isEmpty() && entry.turn.isEmpty() && !waits) {
                entries.remove(claim.id(), entry);
            }
            entry.lock.unlock();
        }
    }

    /** A claim that is granted already has its lease renewed and keeps its token; null if it was lost. */
    private @Nullable Answer again(ClaimEntry entry) {
        Renewal renewal =
                rounds.renew(List.of(entry.parts), members.nodeTimeout()).get(0);
        if (renewal instanceof Renewal.Kept kept) {
            return new Answer.Granted(entry.token, 1, kept.validity());
        }
        if (renewal instanceof Renewal.Unknown unknown) {
            reachable = false;
            throw unknown.failure();
        }
        rounds.end(entry.parts);
        entry.parts = List.of();
        return null;
    }

    /** A claim that waits gets one round, and the engine asks again; a single try gets as many as are set. */
    private Answer first(ClaimEntry entry, Claim claim) {
        Moment called = clocks.now();
        int tried = 1;
        AttemptRound.Decision decision = round(entry, claim, called);
        while (retries.wants(claim, decision, tried) && retries.pause(tried, () -> entry.ended)) {
            decision = round(entry, claim, called);
            tried++;
        }
        reachable = !(decision instanceof AttemptRound.Decision.Unreachable)
                && !(decision instanceof AttemptRound.Decision.Busy doubtful && doubtful.doubt() != null);
        if (decision instanceof AttemptRound.Decision.Won won) {
            entry.failures = 0;
            entries.put(claim.id(), entry);
            turns.pass(entry);
            return new Answer.Granted(won.token(), 1, won.validity());
        }
        if (decision instanceof AttemptRound.Decision.Refused refused) {
            entry.failures = 0;
            turns.pass(entry);
            return refused.refusal();
        }
        if (decision instanceof AttemptRound.Decision.Unreachable unreachable) {
            entry.failures = 0;
            throw unreachable.failure();
        }
        if (decision instanceof AttemptRound.Decision.Busy busy
                && busy.doubt() != null
                && claim.queueing() == Claim.Queueing.NEVER) {
            // A waiting caller polls again anyway; to one that does not wait, "no" would mean that another claim holds
            // it.
            throw busy.doubt();
        }
        entry.failures++;
        return new Answer.Wait(turns.waits(claim, entry));
    }

    /** @param called when the engine called: the validity of a grant counts from then on */
    private AttemptRound.Decision round(ClaimEntry entry, Claim claim, Moment called) {
        Moment sent = clocks.now();
        List<ClaimVotes> parts = new ArrayList<>();
        AttemptRound.Decision decision;
        try {
            decision = claim.mode() instanceof Mode.Permits permits
                    ? slots.take(claim, permits, parts)
                    : turns.attempt(claim, entry, parts);
        } catch (RuntimeException | Error e) {
            parts.forEach(members::abandon);
            throw e;
        }
        if (decision instanceof AttemptRound.Decision.Won won) {
            if (clocks.now().since(sent) < won.validity().toNanos()) {
                entry.parts = List.copyOf(parts);
                entry.token = won.token();
                entry.heldSince = sent;
                // Only the monotonic clock, which does not jump: the wall clock could be set forward here and back
                // later.
                Duration before = Duration.ofNanos(sent.mono() - called.mono());
                return new AttemptRound.Decision.Won(won.token(), won.validity().plus(before));
            }
            decision = new AttemptRound.Decision.Unreachable(
                    new StoreUnavailableException("The members of the quorum granted " + claim.resource()
                            + " too late for a lease of " + Durations.text(claim.lease())));
        }
        rounds.end(parts);
        return decision;
    }

    @Override
    public Release.Outcome release(Release release) {
        return members.call(() -> end(release));
    }

    private Release.Outcome end(Release release) {
        if (release.unanswered()) {
            tombstones.add(release.claimId(), release.lease(), clocks.now());
        }
        ClaimEntry entry = entries.get(release.claimId());
        if (entry == null) {
            return Release.Outcome.NOT_HELD;
        }
        // Before the lock: a single try that is between two rounds has it, and sees this.
        entry.ended = true;
        entry.lock.lock();
        try {
            turns.pass(entry);
            if (entry.endings.isEmpty()) {
                for (ClaimVotes part : entry.parts) {
                    entry.endings.add(new ReleaseRound(members.rules(), part, release.unanswered()));
                }
            }
            Release.Outcome outcome = end(entry);
            if (!entry.parts.isEmpty()) {
                turns.gaveBack(release.resource(), entry);
            }
            entries.remove(release.claimId(), entry);
            return entry.parts.isEmpty() ? Release.Outcome.NOT_HELD : outcome;
        } finally {
            entry.lock.unlock();
        }
    }

    private Release.Outcome end(ClaimEntry entry) {
        try {
            Release.Outcome outcome = rounds.end(entry.parts, entry.endings);
            if (!entry.parts.isEmpty()) {
                reachable = true;
            }
            return outcome;
        } catch (StoreUnavailableException uncertain) {
            reachable = false;
            throw uncertain;
        }
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        List<List<ClaimVotes>> claims = new ArrayList<>(held.size());
        for (Claim claim : held) {
            ClaimEntry entry = entries.get(claim.id());
            claims.add(entry == null ? List.of() : entry.parts);
        }
        List<Renewal> answers = rounds.renew(claims, timeout);
        if (claims.stream().anyMatch(parts -> !parts.isEmpty())) {
            reachable = answers.stream().noneMatch(answer -> answer instanceof Renewal.Unknown);
        }
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Renewal.Gone && forget(held.get(i).id())) {
                // A majority is lost; a member that still has it would keep all others out until its lease ends.
                rounds.end(claims.get(i));
            }
        }
        return answers;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Not under the claim's lock: a release that comes meanwhile does not wait for members that are silent, and ends the
     * claim on every member, extended or not.
     *
     * @throws IllegalArgumentException if the lease is longer than the longest: a member that forgot the grant would vote for
     *     another claim before the lease has ended
     */
    @Override
    public Renewal extend(Claim held, Duration timeout) {
        Duration longest = members.rules().longestLease();
        if (held.lease().compareTo(longest) > 0) {
            throw new IllegalArgumentException("The quorum's longest lease is " + Durations.text(longest)
                    + ", so it cannot be extended to " + Durations.text(held.lease())
                    + "; shorten it or raise that setting");
        }
        ClaimEntry entry = entries.get(held.id());
        if (entry == null || entry.ended) {
            return gone();
        }
        List<ClaimVotes> parts = entry.parts;
        Renewal answer = rounds.extend(parts, held.lease(), timeout);
        if (answer instanceof Renewal.Gone && forget(held.id())) {
            rounds.end(parts);
        }
        return answer;
    }

    /** Forgets a claim, unless it is being released: the release may have to be repeated. */
    private boolean forget(String claimId) {
        ClaimEntry entry = entries.get(claimId);
        return entry != null && !entry.ended && entries.remove(claimId, entry);
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        ClaimEntry entry = entries.get(held.id());
        if (entry == null) {
            return false;
        }
        entry.lock.lock();
        try {
            if (entry.ended || entry.parts.isEmpty() || !rounds.narrow(entry.parts.get(0), to)) {
                return false;
            }
            if (to instanceof Mode.Permits permits && entry.parts.size() > permits.count() + 1) {
                List<ClaimVotes> surplus = List.copyOf(entry.parts.subList(permits.count() + 1, entry.parts.size()));
                entry.parts = List.copyOf(entry.parts.subList(0, permits.count() + 1));
                rounds.end(surplus);
            }
            return true;
        } finally {
            entry.lock.unlock();
        }
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        List<Optional<ResourceState>> answers = members.askAll(store -> store.inspect(resource), members.nodeTimeout());
        return view(answers.stream().flatMap(Optional::stream).toList(), answers.size());
    }

    @Override
    public List<ResourceState> list(String prefix) {
        Map<Resource, List<ResourceState>> byResource = new LinkedHashMap<>();
        List<List<ResourceState>> answers = members.askAll(store -> store.list(prefix), members.commandTimeout());
        for (List<ResourceState> states : answers) {
            for (ResourceState state : states) {
                if (!PermitSlots.isSlot(state.resource()) && !TurnLocks.isTurn(state.resource())) {
                    byResource
                            .computeIfAbsent(state.resource(), resource -> new ArrayList<>())
                            .add(state);
                }
            }
        }
        List<ResourceState> merged = new ArrayList<>();
        byResource.values().forEach(states -> view(states, answers.size()).ifPresent(merged::add));
        return merged;
    }

    private Optional<ResourceState> view(List<ResourceState> states, int answered) {
        int silent = members.rules().members() - answered;
        return MajorityView.of(states, members.rules().quorum(), silent);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The members are looked at before the first of them is told. A holder that hears of its end on one member gives the
     * others back by itself, and may be faster than this: those then have nothing left to end, and their answers alone would
     * say that nobody held it.
     *
     * @return whether something was ended that a quorum of members had, as far as those that answered can tell; a grant that
     *     fewer members had was no hold
     */
    @Override
    public boolean forceRelease(Resource resource) {
        Duration timeout = members.commandTimeout();
        List<Boolean> held = members.askAll(store -> Member.holds(store, resource), timeout);
        List<Boolean> ended = members.askAll(store -> slots.forceRelease(store, resource), timeout);
        return ended.contains(true) && (mayBeQuorum(held) || mayBeQuorum(ended));
    }

    /** Members that did not answer may have had it too. */
    private boolean mayBeQuorum(List<Boolean> had) {
        return !members.rules().preventedBy(Collections.frequency(had, false));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        slots.checkSize(semaphore, permits).ifPresent(refusal -> {
            throw new IllegalArgumentException(refusal);
        });
        members.askAll(
                store -> {
                    StoreAbility.of(store, SemaphoreStore.class).resize(semaphore, permits);
                    return true;
                },
                members.nodeTimeout());
    }

    /**
     * {@inheritDoc}
     *
     * @throws StoreUnavailableException unless all members can be asked, or those that can are the ones that were asked before:
     *     with some of them missing, two keepers would make different ids
     */
    @Override
    public String storeId() {
        List<String> ids = members.askAll(Store::storeId, members.commandTimeout());
        List<String> known = memberIds;
        if (ids.size() < members.rules().members()) {
            if (known.containsAll(ids)) {
                return idOf(known);
            }
            throw new StoreUnavailableException("Only " + ids.size() + " of "
                    + members.rules().members() + " members of the quorum answered; its id is made of all of theirs");
        }
        memberIds = List.copyOf(ids);
        return idOf(ids);
    }

    private static String idOf(List<String> ids) {
        return "quorum" + String.join("", ids.stream().sorted().toList());
    }

    /** What not all members can do, the quorum cannot. */
    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return StoreAbility.isDeclared(type, members.capabilities()) ? Store.super.ability(type) : null;
    }

    @Override
    public void close() {
        members.close();
    }

    /** For tests: how many claims it knows of. */
    int claims() {
        return entries.size();
    }

    /** For tests: whether nothing is under way to a member. */
    boolean isQuiet() {
        return members.isQuiet();
    }

    /** For tests: how many members can be counted on for a claim, or the weakest of its parts. */
    int votes(String claimId) {
        ClaimEntry entry = entries.get(claimId);
        return entry == null
                ? 0
                : entry.parts.stream()
                        .mapToInt(part -> part.withUs().size())
                        .min()
                        .orElse(0);
    }

    static Renewal gone() {
        return new Renewal.Gone(Loss.Reason.TAKEN);
    }
}
