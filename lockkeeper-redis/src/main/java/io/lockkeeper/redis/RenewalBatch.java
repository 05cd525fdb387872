package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;
import static io.lockkeeper.redis.RedisStore.number;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Grants that are renewed by one script. Each has its own answer. */
final class RenewalBatch {

    /** The most grants in one script: enough to make the round trip cheap, few enough not to occupy the server for long. */
    static final int LARGEST = 500;

    private static final byte[] DECLARED = bytes("0");
    private static final byte[] NAMED = bytes("1");
    private static final String LEFT = "LEFT ";
    private static final String LEFT_WANTED = "LEFTWANTED ";

    private final List<Claim> held;
    private final boolean named;
    private final RedisStore store;

    /**
     * @param named whether the keys are only named to the script and not declared, except for one: what is declared must
     *     be in one slot
     */
    RenewalBatch(List<Claim> held, boolean named, RedisStore store) {
        this.held = held;
        this.named = named;
        this.store = store;
    }

    static List<RenewalBatch> of(List<Claim> held, int size, boolean named, RedisStore store) {
        List<RenewalBatch> batches = new ArrayList<>(1 + held.size() / size);
        for (int from = 0; from < held.size(); from += size) {
            batches.add(new RenewalBatch(held.subList(from, Math.min(from + size, held.size())), named, store));
        }
        return batches;
    }

    Redis.Call call() {
        List<byte[]> keys = new ArrayList<>(named ? 1 : 5 * held.size());
        List<byte[]> arguments = new ArrayList<>(4 + 3 * held.size());
        arguments.add(store.keeper());
        arguments.add(store.channels());
        arguments.add(store.counts());
        arguments.add(named ? NAMED : DECLARED);
        // Usually all have the same lease, whose text is made once.
        long written = extension(held.get(0));
        byte[] lease = number(written);
        for (Claim claim : held) {
            long millis = extension(claim);
            if (millis != written) {
                written = millis;
                lease = number(millis);
            }
            arguments.add(bytes(claim.id()));
            arguments.add(lease);
            if (named) {
                arguments.add(bytes(store.keys().key(claim.resource())));
            } else {
                store.keys().addLine(claim.resource(), keys);
            }
        }
        if (named) {
            keys.add(arguments.get(6));
        }
        return new Redis.Call(Scripts.RENEW, keys, arguments);
    }

    /** By how many milliseconds a claim is extended: 0 for a fixed lease, which is only checked. */
    private static long extension(Claim claim) {
        return claim.fixed() ? 0 : RedisStore.millis(claim.lease());
    }

    /** Adds an answer for each grant. */
    void read(@Nullable Object reply, List<Renewal> renewals) {
        if (reply instanceof RuntimeException failure) {
            held.forEach(claim -> renewals.add(new Renewal.Unknown(failure)));
            return;
        }
        List<@Nullable Object> answers = ScriptReplies.list(reply);
        long kept = ScriptReplies.number(answers.get(0));
        int others = 0;
        Renewal.Kept last = new Renewal.Kept(held.get(0).lease(), false);
        for (int i = 0; i < held.size(); i++) {
            int at = 1 + 2 * others;
            if (at < answers.size() && ScriptReplies.number(answers.get(at)) == i + 1) {
                renewals.add(renewal(held.get(i), ScriptReplies.text(answers.get(at + 1))));
                others++;
            } else {
                Duration lease = held.get(i).lease();
                last = lease.equals(last.validity()) ? last : new Renewal.Kept(lease, false);
                renewals.add(last);
            }
        }
        if (kept + others != held.size() || answers.size() != 1 + 2 * others) {
            throw new IllegalStateException(
                    "A script answered for " + kept + " and " + answers.size() / 2 + " of " + held.size() + " grants");
        }
    }

    static Renewal renewal(Claim claim, String answer) {
        return switch (answer) {
            case "KEPT" -> new Renewal.Kept(claim.lease(), false);
            case "WANTED" -> new Renewal.Kept(claim.lease(), true);
            case "EXPIRED" -> new Renewal.Gone(Loss.Reason.EXPIRED);
            case "TAKEN" -> new Renewal.Gone(Loss.Reason.TAKEN);
            case "ELSEWHERE" -> new Renewal.Gone(Loss.Reason.RELEASED_ELSEWHERE);
            case "FORCED" -> new Renewal.Gone(Loss.Reason.FORCED);
            default -> {
                Renewal left = left(answer);
                yield left != null
                        ? left
                        : new Renewal.Unknown(new StoreUnavailableException(
                                "The " + claim.resource() + " could not be renewed: " + answer));
            }
        };
    }

    /** What is left of a fixed lease; null if the answer is another one. */
    private static @Nullable Renewal left(String answer) {
        boolean wanted = answer.startsWith(LEFT_WANTED);
        if (!wanted && !answer.startsWith(LEFT)) {
            return null;
        }
        long millis = Long.parseLong(answer.substring((wanted ? LEFT_WANTED : LEFT).length()));
        return new Renewal.Kept(Duration.ofMillis(millis), wanted);
    }
}
