package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;
import static io.lockkeeper.redis.RedisStore.number;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Many renewals in few requests. Each grant has its own answer: the failure of one, or of one request, is not the others'. */
final class RenewalBatch {

    /** Grants in one script: enough to make the round trip cheap, few enough not to keep the server from others for long. */
    static final int LARGEST = 500;

    private final List<Claim> held;
    private final int size;
    private final RedisStore store;

    RenewalBatch(List<Claim> held, int size, RedisStore store) {
        this.held = held;
        this.size = size;
        this.store = store;
    }

    List<Renewal> run(Redis redis, Duration limit) {
        List<Redis.Call> calls = new ArrayList<>();
        for (int from = 0; from < held.size(); from += size) {
            calls.add(call(part(from)));
        }
        List<@Nullable Object> replies = redis.runFirst(calls, limit);
        List<Renewal> renewals = new ArrayList<>(held.size());
        for (int i = 0; i < calls.size(); i++) {
            read(part(i * size), replies.get(i), renewals);
        }
        return renewals;
    }

    private List<Claim> part(int from) {
        return held.subList(from, Math.min(from + size, held.size()));
    }

    private Redis.Call call(List<Claim> claims) {
        List<byte[]> keys = new ArrayList<>(5 * claims.size());
        List<byte[]> arguments = new ArrayList<>(3 + 2 * claims.size());
        arguments.add(store.keeper());
        arguments.add(store.channels());
        arguments.add(store.counts());
        for (Claim claim : claims) {
            store.keys().addLine(claim.resource(), keys);
            arguments.add(bytes(claim.id()));
            arguments.add(number(RedisStore.millis(claim.lease())));
        }
        return new Redis.Call(Script.RENEW, keys, arguments);
    }

    private static void read(List<Claim> claims, @Nullable Object reply, List<Renewal> renewals) {
        if (reply instanceof RuntimeException failure) {
            claims.forEach(claim -> renewals.add(new Renewal.Unknown(failure)));
            return;
        }
        List<@Nullable Object> answers = Replies.list(reply);
        for (int i = 0; i < claims.size(); i++) {
            renewals.add(renewal(claims.get(i), Replies.text(answers.get(i))));
        }
    }

    static Renewal renewal(Claim claim, String answer) {
        return switch (answer) {
            case "KEPT" -> new Renewal.Kept(claim.lease(), false);
            case "WANTED" -> new Renewal.Kept(claim.lease(), true);
            case "EXPIRED" -> new Renewal.Gone(Loss.Reason.EXPIRED);
            case "TAKEN" -> new Renewal.Gone(Loss.Reason.TAKEN);
            case "FORCED" -> new Renewal.Gone(Loss.Reason.FORCED);
            default ->
                new Renewal.Unknown(
                        new StoreUnavailableException("The " + claim.resource() + " could not be renewed: " + answer));
        };
    }
}
