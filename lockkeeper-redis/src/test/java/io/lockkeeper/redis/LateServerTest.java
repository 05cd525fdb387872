package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An application that starts before its Redis server. */
class LateServerTest {

    @Test
    void theServerMayBeStartedAfterTheKeeper() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            assertThatThrownBy(() -> Lockkeeper.connect(server.url())).isInstanceOf(StoreUnavailableException.class);
            try (Lockkeeper keeper = Lockkeeper.builder().lazy().connect(server.url())) {
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(Integer.toString(server.port()));
                CompletableFuture<ExclusiveHold> asked = keeper.lock("a").acquireAsync();
                server.restart();
                try (ExclusiveHold hold = asked.get(60, TimeUnit.SECONDS);
                        Lockkeeper other = Lockkeeper.connect(server.url())) {
                    assertThat(other.lock("a").tryAcquire()).isNull();
                    CompletableFuture<ExclusiveHold> next = other.lock("a").acquireAsync();
                    assertThat(hold.state()).isEqualTo(HoldState.HELD);
                    hold.close();
                    next.get(60, TimeUnit.SECONDS).close();
                }
            }
        }
    }

    @Test
    void aWrongPasswordIsToldByTheFirstCall() {
        try (RedisServer server = RedisServer.options()
                        .user("app", "on", ">right", "~*", "&*", "+@all")
                        .start();
                Lockkeeper keeper = Lockkeeper.builder().lazy().connect(server.url("app", "wrong"))) {
            assertThatThrownBy(() -> keeper.lock("a").acquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("password");
        }
    }
}
