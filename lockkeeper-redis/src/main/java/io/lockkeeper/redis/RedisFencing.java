package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;
import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.redis.client.Redis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A guard for data in Redis. It stores, beside the data, the greatest token that it admitted.
 *
 * <p><b>What it promises.</b> {@link #write} checks and writes in one step on the server: a holder that was paused past its
 * lease cannot overwrite what a later one wrote, whatever its clock says. {@link #admit} only checks; a write that follows
 * it is a separate step, and a later holder may write in between.
 *
 * <p><b>What it does not promise.</b> What it remembers is a key like any other: it is lost if that is deleted, evicted, or
 * forgotten by a failover, together with the data beside it. It has no expiry.
 */
public final class RedisFencing implements Fencing {

    private final Redis redis;
    private final Keys keys;

    RedisFencing(Redis redis, Keys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    /** @param what the data that is guarded; its key, if it is in this Redis */
    @Override
    public void admit(String what, ExclusiveHold hold) {
        given(what, "what");
        given(hold, "hold");
        check(what, hold, List.of(keys.guard(what)), List.of(token(hold), bytes(hold.id())));
    }

    /**
     * Sets a key if no later holder was admitted for it.
     *
     * @param key any key of this Redis; in a cluster, one without braces or with one pair of them
     * @throws StaleTokenException if a later hold was admitted before; nothing is written then
     */
    public void write(String key, String value, ExclusiveHold hold) {
        given(key, "key");
        given(value, "value");
        given(hold, "hold");
        check(key, hold, List.of(keys.guard(key), bytes(key)), List.of(token(hold), bytes(hold.id()), bytes(value)));
    }

    private void check(String what, ExclusiveHold hold, List<byte[]> on, List<byte[]> arguments) {
        @Nullable Object seen = redis.run(new Redis.Call(Scripts.GUARD, on, arguments), RedisPolicy.GUARD_TIMEOUT);
        if (seen instanceof byte[]) {
            throw new StaleTokenException(what, hold.token(), Long.parseLong(ScriptReplies.text(seen)));
        }
    }

    private static byte[] token(ExclusiveHold hold) {
        return RedisStore.number(hold.token());
    }
}
