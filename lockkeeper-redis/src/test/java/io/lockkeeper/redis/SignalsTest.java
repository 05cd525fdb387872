package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A keeper with a sticky grant can be told of a recall from the first moment. */
class SignalsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Test
    void theHolderOfAStickyClaimIsHeardAlready() {
        try (RedisServer server = RedisServer.start();
                Redis redis = Deployment.single("127.0.0.1", server.port())) {
            for (int i = 0; i < 20; i++) {
                TestKeeper keeper = new TestKeeper("k" + i);
                try (RedisStore store = new RedisStore(redis, new Keys("heard"), keeper, 0)) {
                    assertThat(store.attempt(sticky("claim" + i))).isInstanceOf(Answer.Granted.class);
                    assertThat(keeper.signalledAll.get()).as("keeper %d", i).isPositive();
                }
            }
        }
    }

    @Test
    void whereNobodyMayListenOnlyTheFirstWaits() {
        Signals signals = new Signals(new Keys("heard"), new TestKeeper("k"));
        assertThat(signals.awaitBeginOnce(Duration.ofMillis(20))).isLessThan(Duration.ofMillis(20));
        assertThat(signals.awaitBeginOnce(TIMEOUT)).isEqualTo(TIMEOUT);
    }

    @Test
    void anInterruptedWaiterHasNotWaitedForAllOthers() {
        Signals signals = new Signals(new Keys("heard"), new TestKeeper("k"));
        Thread.currentThread().interrupt();
        signals.awaitBeginOnce(TIMEOUT);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(signals.awaitBeginOnce(Duration.ofMillis(20))).isLessThan(Duration.ofMillis(20));
    }

    private static Claim sticky(String name) {
        return Claim.of(
                        name,
                        new Resource(Family.LOCK, name),
                        Mode.EXCLUSIVE,
                        TIMEOUT.multipliedBy(3),
                        new HolderInfo("k", "host", 7, ""),
                        TIMEOUT)
                .withSticky(true)
                .withQueueing(Claim.Queueing.PLAIN);
    }
}
