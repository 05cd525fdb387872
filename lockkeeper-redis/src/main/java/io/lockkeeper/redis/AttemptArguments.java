package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;
import static io.lockkeeper.redis.RedisStore.number;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.util.List;

/** The arguments of {@code attempt.lua} for a claim. */
final class AttemptArguments {

    private AttemptArguments() {}

    static List<byte[]> of(Claim claim, boolean mayQueue, RedisStore store) {
        return List.of(
                bytes(claim.id()),
                mode(claim.mode()),
                number(RedisStore.millis(claim.lease())),
                number(claim.tokens()),
                store.holding(claim.holder()),
                store.channels(),
                new byte[] {
                    (byte) (mayQueue ? queueing(claim.queueing()) : '0'),
                    (byte) (claim.sticky() ? '1' : '0'),
                    store.counts()[0]
                });
    }

    private static byte[] mode(Mode mode) {
        String letter = letter(mode);
        return bytes(
                mode instanceof Mode.Permits permits ? letter + " " + permits.count() + " " + permits.of() : letter);
    }

    static String letter(Mode mode) {
        return mode instanceof Mode.Exclusive ? "e" : mode instanceof Mode.Shared ? "s" : "p";
    }

    private static byte queueing(Claim.Queueing queueing) {
        return switch (queueing) {
            case NEVER -> '0';
            case PLAIN -> '1';
            case FAIR -> '2';
        };
    }
}
