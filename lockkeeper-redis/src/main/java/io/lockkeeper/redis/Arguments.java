package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;
import static io.lockkeeper.redis.RedisStore.number;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.util.List;

/** What {@code attempt.lua} is told of a claim. */
final class Arguments {

    private static final byte[] NEVER = bytes("0");
    private static final byte[] PLAIN = bytes("1");
    private static final byte[] FAIR = bytes("2");

    private static final byte[] NOT_STICKY = bytes("0");
    private static final byte[] STICKY = bytes("1");

    private Arguments() {}

    static List<byte[]> of(Claim claim, boolean mayQueue, RedisStore store) {
        Mode mode = claim.mode();
        return List.of(
                bytes(claim.id()),
                bytes(letter(mode)),
                number(RedisStore.permits(mode)),
                number(RedisStore.size(mode)),
                number(RedisStore.millis(claim.lease())),
                number(claim.tokens()),
                mayQueue ? queueing(claim.queueing()) : NEVER,
                store.keeper(),
                store.holder(claim.holder()),
                store.channels(),
                store.counts(),
                claim.sticky() ? STICKY : NOT_STICKY);
    }

    static String letter(Mode mode) {
        return mode instanceof Mode.Exclusive ? "e" : mode instanceof Mode.Shared ? "s" : "p";
    }

    private static byte[] queueing(Claim.Queueing queueing) {
        return switch (queueing) {
            case NEVER -> NEVER;
            case PLAIN -> PLAIN;
            case FAIR -> FAIR;
        };
    }
}
