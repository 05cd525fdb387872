package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.redis.client.RedisRefusedException;
import io.lockkeeper.redis.client.Script;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to Redis: each request is one script, and what is promised is kept inside the scripts.
 *
 * <p>The keeper subscribes to one channel of its own, however many resources it waits for. A claim enters a queue only while
 * that subscription is active: a release whose message reaches no subscriber passes over the claim, so a claim that queued
 * too early would lose its turn and no other would gain it.
 */
final class RedisStore
        implements Store,
                NarrowingStore,
                SemaphoreStore,
                ForceReleaseStore,
                ExtendingStore,
                ExchangeStore,
                MemberStore {

    private final Redis redis;
    private final Keys keys;
    private final Keeper keeper;
    private final byte[] keeperId;
    private final HolderText holders;
    private final byte[] channels;
    private final byte[] counts;
    private final int minReplicas;
    private final RedisLatches latches = new RedisLatches(this);
    private final RedisSizes sizes = new RedisSizes(this);
    private final RedisRenewals renewals;
    private final Signals signals;
    private final Redis.Subscription subscription;
    private volatile String storeId = "";

    RedisStore(Redis redis, Keys keys, Keeper keeper, int minReplicas) {
        this.redis = redis;
        this.keys = keys;
        this.keeper = keeper;
        this.keeperId = bytes(keeper.id());
        this.holders = new HolderText(keeper.id(), keeper.holder());
        this.channels = bytes(keys.channels());
        this.counts = bytes(redis.countsListeners() ? "1" : "0");
        this.minReplicas = minReplicas;
        this.renewals = new RedisRenewals(redis, this);
        this.signals = new Signals(keys, keeper);
        this.subscription = redis.subscribe(bytes(keys.channels() + keeper.id()), signals);
    }

    @Override
    public Answer attempt(Claim claim) {
        // No other keeper could recall a sticky grant from a keeper that is not subscribed.
        Duration timeout = claim.sticky() ? signals.awaitBeginOnce(claim.timeout()) : claim.timeout();
        try {
            return claim.queueing() != Claim.Queueing.PLAIN || subscription.isActive()
                    ? attempt(claim, true, timeout)
                    : attemptUnheard(claim, timeout);
        } catch (RedisRefusedException refusal) {
            return refused(claim, refusal);
        }
    }

    /**
     * A script that the server refused may have been executed in part, since nothing is rolled back: a user may be allowed its
     * first command and not its last. And perhaps only the wait for replicas was refused. So the claim is released.
     */
    private Answer refused(Claim claim, RedisRefusedException refusal) {
        return undo(claim, false) ? new Answer.Refused(Answer.Cause.FINAL, sentence(refusal)) : undoing(claim);
    }

    /** A free resource is granted at once; only to queue, the subscription must be active, which takes a round trip. */
    private Answer attemptUnheard(Claim claim, Duration timeout) {
        // All requests together have that timeout, but the first one alone may need it for its replicas.
        Deadline until = Deadline.in(timeout);
        Answer answer = attempt(claim, false, timeout);
        if (!(answer instanceof Answer.Wait wait)) {
            return answer;
        }
        signals.awaitBegin(Duration.ofNanos(Math.max(0, until.left()) / 2));
        if (subscription.isActive() && !until.hasPassed()) {
            return attempt(claim, true, Duration.ofNanos(until.left()));
        }
        return unheard(wait);
    }

    private static Answer.Wait unheard(Answer.Wait wait) {
        return wait.retryIn().compareTo(RedisPolicy.UNSUBSCRIBED_RETRY) > 0
                ? new Answer.Wait(RedisPolicy.UNSUBSCRIBED_RETRY, wait.recalled())
                : wait;
    }

    private Redis.Call call(Claim claim, boolean mayQueue) {
        return new Redis.Call(
                Scripts.ATTEMPT, keys.claim(claim.resource(), claim.id()), AttemptArguments.of(claim, mayQueue, this));
    }

    private Answer attempt(Claim claim, boolean mayQueue, Duration timeout) {
        Redis.Call call = call(claim, mayQueue);
        return minReplicas == 0 ? answer(claim, redis.run(call, timeout)) : replicated(claim, call, timeout);
    }

    private static Answer answer(Claim claim, @Nullable Object reply) {
        if (reply instanceof Long token) {
            return new Answer.Granted(token, 1, claim.lease());
        }
        List<@Nullable Object> parts = ScriptReplies.list(reply);
        int code = (int) ScriptReplies.number(parts.get(0));
        return switch (code) {
            case 1 ->
                new Answer.Granted(
                        ScriptReplies.number(parts.get(1)), (int) ScriptReplies.number(parts.get(2)), claim.lease());
            case 2 ->
                new Answer.Wait(
                        Duration.ofMillis(ScriptReplies.number(parts.get(1))), ScriptReplies.number(parts.get(2)) == 1);
            case 3 ->
                new Answer.Refused(
                        Answer.Cause.FINAL, StoredFormat.newer(claim.resource(), ScriptReplies.text(parts.get(1))));
            case 4 ->
                new Answer.Refused(
                        Answer.Cause.RELEASED,
                        "The claim on " + claim.resource() + " was released before; take a new id");
            case 5 ->
                new Answer.Refused(
                        Answer.Cause.FINAL,
                        "The " + claim.resource() + " has " + ScriptReplies.number(parts.get(1))
                                + " permits in the store, not " + size(claim.mode())
                                + "; use that number or change it with resize");
            default ->
                new Answer.Refused(
                        Answer.Cause.FINAL,
                        "The " + claim.resource() + " has " + size(claim.mode()) + " permits, so "
                                + permits(claim.mode()) + " at once can never be had; ask for fewer or resize it");
        };
    }

    /**
     * A failover might forget a grant that too few replicas have, so the grant is undone.
     *
     * <p>Invariant: a claim is not granted again after its undoing was sent. Otherwise an undoing without an answer could
     * arrive after the claim was attempted again and granted, and free it under its holder. So the undoing leaves a
     * tombstone, and if it was not answered the engine is told that the id was released: the engine releases this id until
     * the server confirms that, and uses another one.
     */
    private Answer replicated(Claim claim, Redis.Call call, Duration timeout) {
        Redis.Replicated replicated = redis.run(call, minReplicas, timeout);
        Answer answer = answer(claim, replicated.reply());
        if (!(answer instanceof Answer.Granted) || replicated.replicas() >= minReplicas) {
            return answer;
        }
        if (!undo(claim, true)) {
            return undoing(claim);
        }
        return new Answer.Refused(
                Answer.Cause.FINAL,
                "Only " + replicated.replicas() + " of the " + minReplicas
                        + " replicas that minReplicas asks for confirmed the "
                        + claim.resource() + " in time, so it was given back; check the replicas of "
                        + redis.describe() + " or lower minReplicas");
    }

    /**
     * Gives back what a claim may have got.
     *
     * @param remembered whether the claim was granted, so that the server is to refuse it from now on
     * @return whether nothing is left of it; if not, the undoing may arrive at any later time
     */
    private boolean undo(Claim claim, boolean remembered) {
        try {
            release(new Release(claim.resource(), claim.id(), claim.lease(), remembered, claim.timeout()));
            return true;
        } catch (RedisRefusedException notExecuted) {
            // A claim that was refused had nothing to give back; one that was granted still has it.
            return !remembered;
        } catch (RuntimeException | Error unanswered) {
            return false;
        }
    }

    private static Answer undoing(Claim claim) {
        return new Answer.Refused(
                Answer.Cause.RELEASED,
                "The claim on " + claim.resource()
                        + " was given back, and the server did not confirm that; take a new id");
    }

    @Override
    public Release.Outcome release(Release release) {
        return released(release, redis.run(call(release), release.timeout()));
    }

    private Redis.Call call(Release release) {
        boolean remembered = release.unanswered();
        long tombstone = remembered ? millis(RetentionTimes.tombstone(release.lease())) : 0;
        return new Redis.Call(
                Scripts.RELEASE,
                remembered ? keys.claim(release.resource(), release.claimId()) : keys.line(release.resource()),
                List.of(bytes(release.claimId()), number(tombstone), keeperId, channels, counts));
    }

    /** If the next claim is this keeper's, the reply says so, which saves a message to itself. */
    private Release.Outcome released(Release release, @Nullable Object reply) {
        long said = ScriptReplies.number(reply);
        if (said >= 2) {
            keeper.signal(release.resource());
        }
        return said % 2 == 1 ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    /** Both in one pipeline. They go to one node, since they are about one resource. */
    @Override
    public Exchanged exchange(Release release, Claim next) {
        List<@Nullable Object> replies =
                redis.runAll(List.of(call(release), call(next, subscription.isActive())), release.timeout());
        Object ended = replies.get(0);
        Object asked = replies.get(1);
        Answer answer = asked instanceof RuntimeException failure ? refusal(next, failure) : answer(next, asked);
        if (answer instanceof Answer.Wait wait && !subscription.isActive()) {
            answer = unheard(wait);
        }
        return new Exchanged(
                ended instanceof RuntimeException ? null : released(release, ended),
                ended instanceof RuntimeException failure ? failure : null,
                answer,
                answer == null && asked instanceof RuntimeException failure ? failure : null);
    }

    private @Nullable Answer refusal(Claim claim, RuntimeException failure) {
        return failure instanceof RedisRefusedException refusal ? refused(claim, refusal) : null;
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return renewals.renew(held, timeout);
    }

    @Override
    public Renewal raise(Claim held, long token, Duration timeout) {
        Redis.Call call = new Redis.Call(
                Scripts.RAISE,
                keys.line(held.resource()),
                List.of(bytes(held.id()), number(millis(held.lease())), number(token), keeperId));
        return RenewalBatch.renewal(held, ScriptReplies.text(redis.run(call, timeout)));
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        Redis.Call call = new Redis.Call(
                Scripts.EXTEND,
                keys.line(held.resource()),
                List.of(bytes(held.id()), number(millis(held.lease())), keeperId));
        return RenewalBatch.renewal(held, ScriptReplies.text(redis.run(call, timeout)));
    }

    @Override
    public Duration uptime() {
        return redis.uptime(keeper.commandTimeout());
    }

    @Override
    public String node(Resource resource) {
        return redis.mixesKeys() ? "" : redis.node(bytes(keys.key(resource)));
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        Redis.Call call = new Redis.Call(
                Scripts.NARROW,
                keys.line(held.resource()),
                List.of(bytes(held.id()), bytes(AttemptArguments.letter(to)), number(permits(to)), channels, counts));
        return ScriptReplies.number(redis.run(call, held.timeout())) == 1;
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return InspectReply.read(resource, run(Scripts.INSPECT, keys.line(resource), List.of()));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        Set<Resource> found = new LinkedHashSet<>();
        for (byte[] key : redis.scan(keys.pattern(prefix), keeper.commandTimeout())) {
            Resource resource = keys.resource(key);
            if (resource != null
                    && resource.name().startsWith(prefix)
                    && !resource.family().equals(Family.LATCH)) {
                found.add(resource);
            }
        }
        Map<String, List<Resource>> byNode = new LinkedHashMap<>();
        found.forEach(resource -> byNode.computeIfAbsent(node(resource), node -> new ArrayList<>())
                .add(resource));
        List<ResourceState> states = new ArrayList<>();
        byNode.values().forEach(resources -> inspectAll(resources, states));
        states.sort(
                Comparator.comparing((ResourceState state) -> state.resource().name())
                        .thenComparing(state -> state.resource().family().key()));
        return states;
    }

    private void inspectAll(List<Resource> resources, List<ResourceState> states) {
        List<Redis.Call> calls = new ArrayList<>(resources.size());
        resources.forEach(resource -> calls.add(new Redis.Call(Scripts.INSPECT, keys.line(resource), List.of())));
        List<@Nullable Object> replies = redis.runAll(calls, keeper.commandTimeout());
        for (int i = 0; i < resources.size(); i++) {
            if (replies.get(i) instanceof RuntimeException failure) {
                throw failure;
            }
            InspectReply.read(resources.get(i), replies.get(i)).ifPresent(states::add);
        }
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return ScriptReplies.number(run(Scripts.FORCE, keys.line(resource), List.of(channels, counts))) > 0;
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        run(Scripts.RESIZE, keys.line(semaphore), List.of(number(permits), channels, counts));
    }

    /** The latches and the sizes are parts of their own; what a cluster or a wait for replicas takes away is not there. */
    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        if (!StoreAbility.isDeclared(type, RedisBackend.capabilities(redis, minReplicas))) {
            return null;
        }
        if (type == SizeStore.class) {
            return type.cast(sizes);
        }
        return type == LatchStore.class ? type.cast(latches) : Store.super.ability(type);
    }

    /** Random, and not the keeper's id: a keeper of a quorum opens several servers, and each is a store of its own. */
    private static String newStoreId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** The first request to the server, so a misconfiguration shows here. */
    void checkFormat(Duration timeout) {
        String known = storeId.isEmpty() ? newStoreId() : storeId;
        List<@Nullable Object> answer =
                ScriptReplies.list(run(Scripts.STORE, List.of(keys.store()), List.of(bytes(known)), timeout));
        String format = ScriptReplies.text(answer.get(1));
        if (!format.equals(StoredFormat.KNOWN)) {
            throw new ClaimRefusedException(StoredFormat.newer("What is in " + redis.describe() + " is", format));
        }
        storeId = ScriptReplies.text(answer.get(0));
    }

    @Override
    public String storeId() {
        checkFormat(keeper.commandTimeout());
        return storeId;
    }

    @Override
    public void close() {
        subscription.close();
    }

    Keys keys() {
        return keys;
    }

    String keeperId() {
        return keeper.id();
    }

    byte[] keeper() {
        return keeperId;
    }

    byte[] holding(HolderInfo holder) {
        return holders.write(holder);
    }

    byte[] channels() {
        return channels;
    }

    byte[] counts() {
        return counts;
    }

    Object run(Script script, List<byte[]> on, List<byte[]> arguments) {
        return run(script, on, arguments, keeper.commandTimeout());
    }

    private Object run(Script script, List<byte[]> on, List<byte[]> arguments, Duration timeout) {
        Object reply = redis.run(new Redis.Call(script, on, arguments), timeout);
        if (reply == null) {
            throw new StoreUnavailableException("The script " + script + " answered nothing at " + redis.describe());
        }
        return reply;
    }

    static byte[] number(long number) {
        return bytes(Long.toString(number));
    }

    /** Whole milliseconds, never less than asked for. */
    static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    static int permits(Mode mode) {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    static int size(Mode mode) {
        return mode instanceof Mode.Permits permits ? permits.of() : 0;
    }

    private static String sentence(RuntimeException failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
