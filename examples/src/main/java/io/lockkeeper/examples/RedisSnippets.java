package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.redis.RedisFencing;

/** What the documentation shows of Redis. */
final class RedisSnippets {

    private RedisSnippets() {}

    /** A guard for data in Redis: the check and the write are one step on the server. */
    static void fenced(String url) throws InterruptedException {
        try (RedisBackend redis = RedisBackend.at(url);
                Lockkeeper keeper = Lockkeeper.of(redis)) {
            RedisFencing guard = redis.fencing();
            try (ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
                guard.write("order:42:state", "paid", hold); // StaleTokenException if a later holder wrote before
            }
        }
    }
}
