package io.lockkeeper.line;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.SemaphoreSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reference semantics of a leased store with a queue, as a pure state machine: no thread, no lock, no clock. Every call
 * carries the time by the store's own clock, in nanoseconds.
 *
 * <p>The invariants, and what would break without them:
 *
 * <ul>
 *   <li><b>One claim, one grant.</b> A claim that holds is answered with the token it has. Were it granted anew, a reply
 *       that is lost would cost a permit, or a lock would wait for itself.
 *   <li><b>A released id stays released.</b> A release that overtakes a request of its own claim leaves a tombstone. Without
 *       it the late request grants the resource on behalf of nobody, for a whole lease.
 *   <li><b>A free resource belongs to the first live claim in its queue</b>, and that claim keeps its place until its own
 *       attempt is granted. Were it taken out when it is signalled, a slow keeper would lose its place; were dead claims
 *       waited for, each would cost all others a timeout.
 *   <li><b>Tokens go up over the whole store</b>, so a name that is forgotten and used again goes on upwards.
 *   <li><b>Nothing is left of a name</b> that is neither held nor queued for nor under a tombstone. What is abandoned is
 *       found by a sweep that looks at two old names for each new one.
 * </ul>
 */
public final class LeasedStore {

    /**
     * A notification for a keeper: to attempt its claims of the resource again, or to return a sticky grant.
     *
     * @param recalled the claim whose grant another keeper wants; empty if none is recalled
     */
    public record Signal(String keeperId, Resource resource, String recalled) {

        public Signal(String keeperId, Resource resource) {
            this(keeperId, resource, "");
        }

        /** Sends it to the keeper. */
        public void tell(Keeper keeper) {
            if (recalled.isEmpty()) {
                keeper.signal(resource);
            } else {
                keeper.recall(resource, recalled);
            }
        }
    }

    private final String storeId;
    private final TokenCounter tokens;
    private final Endings endings;
    private final Latches latches;
    /** In the order of last use, so that the sweep finds the abandoned ones first. */
    private final Map<Resource, Line> lines = new LinkedHashMap<>(16, 0.75f, true);

    private final Sizes sizes;
    private final Set<Signal> signals = new LinkedHashSet<>();

    /**
     * @param storeId what {@link #storeId()} answers
     * @param policy how tokens are made
     */
    public LeasedStore(String storeId, TokenPolicy policy) {
        this.storeId = storeId;
        this.tokens = new TokenCounter(policy);
        this.endings = new Endings();
        this.latches = new Latches(tokens, signals);
        this.sizes = new Sizes();
    }

    private LeasedStore(LeasedStore other) {
        storeId = other.storeId;
        tokens = other.tokens.copy();
        endings = other.endings.copy();
        latches = other.latches.copy(tokens, signals);
        other.lines.forEach((resource, line) -> lines.put(resource, line.copy(endings, signals)));
        sizes = other.sizes.copy();
    }

    /** A store with the same content that goes its own way from here, such as a replica. Signals are not copied. */
    public LeasedStore copy() {
        return new LeasedStore(this);
    }

    public String storeId() {
        return storeId;
    }

    /** Attempts a claim; see {@link io.lockkeeper.spi.Store#attempt}. */
    public Answer attempt(String keeperId, Claim claim, long now) {
        Line line = open(claim.resource(), now);
        boolean newcomer = !line.isQueued(claim.id());
        line.stamp(claim.id(), now);
        Answer answer = decide(line, keeperId, claim, now);
        // Also when nothing was granted: the request that notices that the first in the queue could have it now signals
        // it.
        settle(line, keeperId, newcomer, now);
        return answer;
    }

    private Answer decide(Line line, String keeperId, Claim claim, long now) {
        StoredGrant held = line.grant(claim.id());
        if (held != null) {
            held.extend(claim.lease(), now);
            return held.answer(claim);
        }
        if (line.isBuried(claim.id())) {
            return new Answer.Refused(
                    Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
        }
        Answer refusal =
                claim.mode() instanceof Mode.Permits permits ? checkSize(claim.resource(), permits, now) : null;
        if (refusal != null) {
            line.leave(claim.id());
            return refusal;
        }
        if (line.admits(claim, size(claim.resource()), now)) {
            line.leave(claim.id());
            StoredGrant grant = new StoredGrant(keeperId, claim, tokens.take(claim.tokens(), now), now);
            line.add(grant);
            return grant.answer(claim);
        }
        if (claim.queueing() != Claim.Queueing.NEVER) {
            line.queue(keeperId, claim, now);
        }
        return new Answer.Wait(line.retryIn(claim.id(), now), line.recall(keeperId));
    }

    private @Nullable Answer checkSize(Resource semaphore, Mode.Permits wanted, long now) {
        Answer refusal = sizes.refusal(semaphore, wanted);
        if (refusal == null) {
            sizes.keep(semaphore, sizes.of(semaphore).usedWith(wanted.of()), now);
        }
        return refusal;
    }

    /** The number of permits of a semaphore; see {@link io.lockkeeper.spi.SizeStore#size}. */
    public int size(Resource semaphore) {
        return sizes.of(semaphore).permits();
    }

    /** Sets the number of permits if there is none; see {@link io.lockkeeper.spi.SizeStore#trySet}. */
    public boolean trySetSize(Resource semaphore, String operation, int permits, long now) {
        SemaphoreSize.check(semaphore, permits);
        SemaphoreSize number = sizes.of(semaphore).trySet(operation, permits);
        changeSize(semaphore, number, now);
        return number.has(operation);
    }

    /** Sets the number of permits; see {@link io.lockkeeper.spi.SizeStore#set}. */
    public void setSize(Resource semaphore, int permits, long now) {
        SemaphoreSize.check(semaphore, permits);
        changeSize(semaphore, sizes.of(semaphore).set(permits), now);
    }

    /** Adds to the number of permits; see {@link io.lockkeeper.spi.SizeStore#add}. */
    public int addSize(Resource semaphore, String operation, int change, int ifNone, long now) {
        SemaphoreSize number = sizes.of(semaphore).add(semaphore, operation, change, ifNone);
        changeSize(semaphore, number, now);
        return number.permits();
    }

    /** Forgets the number of permits; see {@link io.lockkeeper.spi.SizeStore#clear}. */
    public void clearSize(Resource semaphore) {
        sizes.remove(semaphore);
    }

    private void changeSize(Resource semaphore, SemaphoreSize number, long now) {
        sizes.keep(semaphore, number, now);
        Line line = find(semaphore, now);
        if (line != null) {
            settle(line, now);
        }
    }

    /** Ends a claim; see {@link io.lockkeeper.spi.Store#release}. */
    public Release.Outcome release(String keeperId, Release release, long now) {
        if (!release.unanswered() && !lines.containsKey(release.resource())) {
            return Release.Outcome.NOT_HELD;
        }
        Line line = open(release.resource(), now);
        StoredGrant ended = line.end(release.claimId());
        line.leave(release.claimId());
        if (release.unanswered()) {
            line.bury(
                    release.claimId(),
                    now + RetentionTimes.tombstone(release.lease()).toNanos());
        }
        if (ended != null && !ended.keeperId.equals(keeperId)) {
            endings.record(release.resource(), ended.claimId, Loss.Reason.RELEASED_ELSEWHERE);
            signals.add(new Signal(ended.keeperId, release.resource()));
        }
        settle(line, now);
        return ended == null ? Release.Outcome.NOT_HELD : Release.Outcome.RELEASED;
    }

    /** Renews grants; see {@link io.lockkeeper.spi.Store#renew}. */
    public List<Renewal> renew(List<Claim> held, long now) {
        List<Renewal> answers = new ArrayList<>(held.size());
        for (Claim claim : held) {
            answers.add(renew(claim, !claim.fixed(), now));
        }
        return answers;
    }

    private Renewal renew(Claim claim, boolean extend, long now) {
        Line line = find(claim.resource(), now);
        StoredGrant grant = line == null ? null : line.grant(claim.id());
        Renewal answer;
        if (line != null && grant != null) {
            if (extend) {
                grant.renew(claim.lease(), now);
            }
            answer = new Renewal.Kept(Duration.ofNanos(grant.expiresAt() - now), line.othersWait(grant.keeperId, now));
        } else {
            Loss.Reason recorded = endings.of(claim.resource(), claim.id());
            boolean others = line != null && line.isHeld();
            answer = new Renewal.Gone(
                    recorded == null || (recorded == Loss.Reason.EXPIRED && others) ? Loss.Reason.TAKEN : recorded);
        }
        if (line != null) {
            settle(line, now);
        }
        return answer;
    }

    /** Makes a grant last longer; see {@link io.lockkeeper.spi.ExtendingStore#extend}. */
    public Renewal extend(Claim held, long now) {
        Line line = find(held.resource(), now);
        StoredGrant grant = line == null ? null : line.grant(held.id());
        if (line == null || grant == null) {
            return renew(held, false, now);
        }
        grant.extend(held.lease(), now);
        Renewal answer = new Renewal.Kept(held.lease(), line.othersWait(grant.keeperId, now));
        settle(line, now);
        return answer;
    }

    /** Renews a grant and gives it a higher token; see {@link io.lockkeeper.spi.MemberStore#raise}. */
    public Renewal raise(Claim held, long token, long now) {
        Renewal renewal = renew(held, true, now);
        Line line = lines.get(held.resource());
        StoredGrant grant = line == null ? null : line.grant(held.id());
        if (line == null || grant == null) {
            return renewal;
        }
        if (!line.raise(grant, token)) {
            return new Renewal.Gone(Loss.Reason.TAKEN);
        }
        tokens.raise(token);
        return renewal;
    }

    /** Gives up a part of a grant; see {@link io.lockkeeper.spi.NarrowingStore#narrow}. */
    public boolean narrow(Claim held, Mode to, long now) {
        Line line = find(held.resource(), now);
        if (line == null) {
            return false;
        }
        StoredGrant grant = line.grant(held.id());
        if (grant != null) {
            grant.narrow(to);
        }
        settle(line, now);
        return grant != null;
    }

    public Optional<ResourceState> inspect(Resource resource, long now) {
        Line line = find(resource, now);
        if (line == null) {
            return Optional.empty();
        }
        Optional<ResourceState> state = line.state(size(resource), now);
        settle(line, now);
        return state;
    }

    /** All resources with this prefix that are held or queued for, by name. */
    public List<ResourceState> list(String prefix, long now) {
        List<Resource> found = new ArrayList<>();
        for (Resource resource : lines.keySet()) {
            if (resource.name().startsWith(prefix)) {
                found.add(resource);
            }
        }
        found.sort(Comparator.comparing(Resource::name)
                .thenComparing(resource -> resource.family().key()));
        List<ResourceState> states = new ArrayList<>();
        for (Resource resource : found) {
            inspect(resource, now).ifPresent(states::add);
        }
        return states;
    }

    public boolean forceRelease(Resource resource, long now) {
        Line line = find(resource, now);
        if (line == null) {
            return false;
        }
        Collection<StoredGrant> ended = line.endAll();
        for (StoredGrant grant : ended) {
            endings.record(resource, grant.claimId, Loss.Reason.FORCED);
            signals.add(new Signal(grant.keeperId, resource));
        }
        settle(line, now);
        return !ended.isEmpty();
    }

    /** Changes the size of a semaphore. Shrinking takes no permits away from their holders. */
    public void resize(Resource semaphore, int permits, long now) {
        SemaphoreSize.check(semaphore, permits);
        changeSize(semaphore, sizes.of(semaphore).resized(permits), now);
    }

    public LatchStore.State latchState(String keeperId, Resource latch, boolean wake) {
        return latches.state(keeperId, latch, wake);
    }

    public boolean latchSet(Resource latch, String operation, int count, long now) {
        return latches.set(latch, operation, count, now);
    }

    public boolean latchCountDown(Resource latch, long generation, String operation, long now) {
        return latches.countDown(latch, generation, operation, now);
    }

    public void latchDelete(Resource latch, long generation) {
        latches.delete(latch, generation);
    }

    /** The signals since the last call, in order and each once. A signal is only a hint and may be lost. */
    public List<Signal> drainSignals() {
        if (signals.isEmpty()) {
            return List.of();
        }
        List<Signal> drained = List.copyOf(signals);
        signals.clear();
        return drained;
    }

    /** Forgets all grants without a signal, as a failover does that loses them; queues and counters stay. */
    public void loseGrants() {
        lines.values().forEach(Line::endAll);
    }

    /**
     * Forgets grants, queues, tombstones, sizes and latches, as a restart without persistence does. Tokens go on upwards, as
     * those of a store that takes them from its clock.
     */
    public void loseEverything() {
        lines.clear();
        sizes.clear();
        latches.clear();
        signals.clear();
    }

    /** Forgets the grants of one resource without a signal. */
    public void loseGrants(Resource resource) {
        Line line = lines.get(resource);
        if (line != null) {
            line.endAll();
        }
    }

    /** How many names it knows something of, sizes of semaphores and latches aside. */
    public int names() {
        return lines.size();
    }

    /** All that is known of one resource, to be written; latches aside. */
    Snapshot snapshot(Resource resource, int endingsAtMost) {
        Line line = lines.get(resource);
        return new Snapshot(
                tokens.last(),
                line == null ? null : line.state(),
                sizes.stored(resource),
                endings.latest(resource, endingsAtMost));
    }

    /** Replaces all that is known of one resource; tokens go on from the greater of both. */
    void restore(Resource resource, Snapshot snapshot) {
        tokens.raise(snapshot.lastToken());
        endings.replace(resource, snapshot.endings());
        LineState state = snapshot.line();
        if (state == null) {
            lines.remove(resource);
        } else {
            lines.put(resource, new Line(resource, endings, signals, state));
        }
        sizes.restore(resource, snapshot.size());
    }

    private @Nullable Line find(Resource resource, long now) {
        Line line = lines.get(resource);
        if (line != null) {
            line.purge(now);
        }
        return line;
    }

    private Line open(Resource resource, long now) {
        Line line = find(resource, now);
        if (line == null) {
            sweep(now);
            line = new Line(resource, endings, signals);
            lines.put(resource, line);
        }
        return line;
    }

    /** Signals the claims that can have the resource now, and forgets a name of which nothing is left. */
    private void settle(Line line, long now) {
        settle(line, null, false, now);
    }

    private void settle(Line line, @Nullable String requester, boolean newcomer, long now) {
        line.wake(requester, newcomer, size(line.resource), now);
        if (line.isEmpty()) {
            lines.remove(line.resource);
        }
    }

    private void sweep(long now) {
        for (int i = 0; i < 2 && !lines.isEmpty(); i++) {
            Resource eldest = lines.keySet().iterator().next();
            // Looking it up makes it the youngest.
            Line line = find(eldest, now);
            if (line != null) {
                settle(line, now);
            }
        }
        sizes.sweep(now, lines::containsKey);
    }
}
