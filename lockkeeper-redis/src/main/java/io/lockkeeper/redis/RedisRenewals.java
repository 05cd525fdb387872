package io.lockkeeper.redis;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renews many grants of one node by few requests: the failure of one grant, or of one request, is not the others'. */
final class RedisRenewals {

    private final Redis redis;
    private final RedisStore store;

    RedisRenewals(Redis redis, RedisStore store) {
        this.redis = redis;
        this.store = store;
    }

    List<Renewal> renew(List<Claim> held, Duration limit) {
        return run(RenewalBatch.of(held, redis.mixesKeys() ? RenewalBatch.LARGEST : 1, false, store), limit);
    }

    private List<Renewal> run(List<RenewalBatch> batches, Duration limit) {
        List<Redis.Call> calls = new ArrayList<>(batches.size());
        batches.forEach(batch -> calls.add(batch.call()));
        List<@Nullable Object> replies = redis.runFirst(calls, limit);
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
            batches.get(i).read(replies.get(i), renewals);
        }
        return renewals;
    }
}
