package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The guard for data in Redis admits a holder, and from then on no earlier one. */
class RedisFencingTest {

    private final RedisServer server = RedisServer.start();
    private final RedisBackend backend = RedisBackend.at(server.url());
    private final Lockkeeper keeper = PatientKeepers.keeper().open(backend);
    private final RedisFencing guard = backend.fencing();

    @AfterEach
    void end() {
        keeper.close();
        backend.close();
        server.close();
    }

    /** A hold of that lock with that token. */
    private ExclusiveHold hold(String name, long token) throws InterruptedException {
        server.command("HSET", backend.key(new Resource(Family.LOCK, name)) + ":s", "token", Long.toString(token - 1));
        ExclusiveHold hold = keeper.lock(name).acquire();
        assertThat(hold.token()).isEqualTo(token);
        return hold;
    }

    @Test
    void anEqualTokenOfAnotherHoldIsRefused() throws Exception {
        long token = 1L << 52;
        ExclusiveHold first = hold("first", token);
        ExclusiveHold second = hold("second", token);
        guard.write("data", "first", first);
        guard.write("data", "first again", first);

        assertThatThrownBy(() -> guard.write("data", "second", second)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> guard.admit("data", second)).isInstanceOf(StaleTokenException.class);
        assertThat(server.command("GET", "data")).isEqualTo("first again");
    }

    @Test
    void aStaleHolderIsRefusedOnceItsSuccessorWrote() throws Exception {
        ExclusiveHold stale = keeper.lock("name").acquire();
        keeper.forceRelease("name");
        ExclusiveHold next = keeper.lock("name").acquire();
        guard.write("data", "stale, but nobody came after it", stale);
        guard.write("data", "next", next);

        assertThatThrownBy(() -> guard.write("data", "stale", stale))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining(Long.toString(next.token()));
        assertThat(server.command("GET", "data")).isEqualTo("next");
        guard.write("other data", "each for itself", stale);
    }
}
