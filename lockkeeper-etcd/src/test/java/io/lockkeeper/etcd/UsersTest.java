package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server with users: a role with the prefix of the locks is all that a keeper needs. */
@Tag("etcd")
@Timeout(120)
class UsersTest {

    private static EtcdServer server;

    private final List<Lockkeeper> keepers = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = EtcdServer.options().argument("--auth-token-ttl=2").start();
        server.ctl("role", "add", "locks");
        server.ctl("role", "grant-permission", "locks", "readwrite", "--prefix=true", "shop/");
        server.ctl("user", "add", "clerk", "--new-user-password=s3cret");
        server.ctl("user", "grant-role", "clerk", "locks");
        server.ctl("user", "add", "guest", "--new-user-password=guest");
        server.ctl("user", "add", "root", "--new-user-password=root");
        server.ctl("user", "grant-role", "root", "root");
        server.ctl("auth", "enable");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() {
        keepers.forEach(Lockkeeper::close);
    }

    private Lockkeeper keeper(String user, String prefix) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(5))
                .connect("etcd://" + user + server.address() + "/" + prefix);
        keepers.add(keeper);
        return keeper;
    }

    private Lockkeeper clerk() {
        return keeper("clerk:s3cret@", "shop");
    }

    @Test
    void aRoleWithThePrefixOfTheLocksIsEnoughForEverything() throws Exception {
        Lockkeeper first = clerk();
        Lockkeeper second = clerk();
        ExclusiveHold hold = first.lock("a").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.fairLock("a").acquireAsync();
        assertThat(second.lock("a").tryAcquire()).isNull();
        assertThat(second.inspect("a")).isPresent();
        hold.close();
        waiter.get(60, TimeUnit.SECONDS).close();
        first.readWriteLock("rw").readLock().acquire().close();
        DistributedSemaphore semaphore = second.semaphore("seats", 2);
        semaphore.acquire(2).close();
        DistributedLatch latch = first.latch("ready");
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<Void> awaited = second.latch("ready").awaitAsync();
        latch.countDown();
        awaited.get(60, TimeUnit.SECONDS);
        ExclusiveHold forced = first.lock("forced").acquire();
        assertThat(second.forceRelease("forced")).isTrue();
        forced.lost().get(60, TimeUnit.SECONDS);
        assertThat(second.list("")).isEmpty();
    }

    @Test
    void aKeeperLogsInAgainWhenItsTokenIsOver() throws Exception {
        Lockkeeper keeper = clerk();
        ExclusiveHold hold =
                keeper.lock("token").withLease(Duration.ofSeconds(6)).acquire();
        // Tokens of this server end after two seconds in which nobody uses them, and with the server.
        server.restart();
        until("it is confirmed", () -> hold.state() == HoldState.HELD && Answers.shows(keeper, "token"));
        hold.close();
        keeper.lock("token").acquire().close();
    }

    @Test
    void wrongPasswordsMissingUsersAndMissingRightsAreOneSentence() {
        assertThatThrownBy(() -> keeper("clerk:wrong@", "shop"))
                .isInstanceOf(LockkeeperException.class)
                .hasMessageContaining("user and password")
                .hasMessageNotContaining("wrong@");
        assertThatThrownBy(() -> keeper("", "shop"))
                .isInstanceOf(LockkeeperException.class)
                .hasMessageContaining("etcd://user:password@host:2379");
        assertThatThrownBy(() -> keeper("clerk:s3cret@", "warehouse").lock("a").tryAcquire())
                .isInstanceOf(LockkeeperException.class)
                .hasMessageContaining("prefix of the locks")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> keeper("guest:guest@", "shop").lock("a").tryAcquire())
                .isInstanceOf(LockkeeperException.class)
                .hasMessageContaining("prefix of the locks");
    }
}
