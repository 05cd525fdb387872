package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.redis.client.RedisRefusedException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renews many grants with few requests: the failure of one grant, or of one request, does not affect the others.
 *
 * <p>In a cluster the keys that a script declares must be in one slot, but the script may use keys of all slots of its node. So
 * there the keys are passed as arguments. Invariant: <b>an answer counts only if the node that gave it has the slot.</b> The
 * server checks each command of the script, as it checks those of clients, and refuses one whose key is on another node or is
 * being moved; that grant is then renewed by a script of its own, which declares its keys and goes to the node of its slot. A
 * grant that was half renewed before a command was refused is merely renewed twice. Nor does the absence of an undeclared key
 * mean that a grant is gone: that grant is checked by a script of its own too.
 *
 * <p>A server that refuses undeclared keys altogether is remembered, and from then on each of its grants has its own script.
 */
final class RedisRenewals {

    /** What servers say of keys that a script did not declare, in whichever slot they are. */
    private static final List<String> UNDECLARED = List.of("undeclared key", "hash to the same slot", "KEYS array");

    private final Redis redis;
    private final RedisStore store;
    /** The nodes that demand that all keys are declared. */
    private final Set<String> strict = ConcurrentHashMap.newKeySet();

    RedisRenewals(Redis redis, RedisStore store) {
        this.redis = redis;
        this.store = store;
    }

    List<Renewal> renew(List<Claim> held, Duration timeout) {
        return redis.mixesKeys() ? run(declared(held, RenewalBatch.LARGEST), timeout).answers : inSlots(held, timeout);
    }

    private List<RenewalBatch> declared(List<Claim> held, int size) {
        return RenewalBatch.of(held, size, false, store);
    }

    /** Usually all are on one node, since renewals are grouped by node; but slots move. */
    private List<Renewal> inSlots(List<Claim> held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        Map<String, List<Integer>> byNode = new LinkedHashMap<>();
        for (int i = 0; i < held.size(); i++) {
            byNode.computeIfAbsent(store.node(held.get(i).resource()), node -> new ArrayList<>())
                    .add(i);
        }
        Renewal[] answers = new Renewal[held.size()];
        byNode.forEach((node, places) -> {
            List<Integer> left = strict.contains(node) ? places : together(node, held, places, until, answers);
            if (!left.isEmpty()) {
                put(run(declared(at(left, held), 1), rest(until)).answers, left, answers);
            }
        });
        return Arrays.asList(answers);
    }

    /** @return the indices of the grants that need a script of their own */
    private List<Integer> together(
            String node, List<Claim> held, List<Integer> places, Deadline until, Renewal[] answers) {
        Outcome outcome = run(RenewalBatch.of(at(places, held), RenewalBatch.LARGEST, true, store), rest(until));
        put(outcome.answers, places, answers);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            Renewal answer = outcome.answers.get(i);
            if (answer instanceof Renewal.Gone || (answer instanceof Renewal.Unknown && outcome.refused(i))) {
                left.add(places.get(i));
            }
            if (answer instanceof Renewal.Unknown unknown) {
                String said = String.valueOf(unknown.failure().getMessage());
                if (UNDECLARED.stream().anyMatch(said::contains)) {
                    strict.add(node);
                }
            }
        }
        return left;
    }

    private static Duration rest(Deadline until) {
        return Duration.ofNanos(Math.max(1, until.left()));
    }

    private static List<Claim> at(List<Integer> places, List<Claim> held) {
        return places.size() == held.size()
                ? held
                : places.stream().map(held::get).toList();
    }

    private static void put(List<Renewal> some, List<Integer> places, Renewal[] all) {
        for (int i = 0; i < some.size(); i++) {
            all[places.get(i)] = some.get(i);
        }
    }

    private Outcome run(List<RenewalBatch> batches, Duration timeout) {
        List<Redis.Call> calls = new ArrayList<>(batches.size());
        batches.forEach(batch -> calls.add(batch.call()));
        List<@Nullable Object> replies = redis.runFirst(calls, timeout);
        List<Renewal> answers = new ArrayList<>(RenewalBatch.LARGEST);
        for (int i = 0; i < batches.size(); i++) {
            batches.get(i).read(replies.get(i), answers);
        }
        return new Outcome(answers, replies);
    }

    /** What came of batches that are full, except for the last. */
    private record Outcome(List<Renewal> answers, List<@Nullable Object> replies) {

        /** Whether the server answered, even with a refusal: then a script of its own may succeed. */
        boolean refused(int place) {
            Object reply = replies.get(place / RenewalBatch.LARGEST);
            return !(reply instanceof RuntimeException) || reply instanceof RedisRefusedException;
        }
    }
}
