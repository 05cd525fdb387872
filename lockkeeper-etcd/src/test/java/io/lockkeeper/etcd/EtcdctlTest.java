package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.etcd.EtcdCtl;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code etcdctl lock}, which is the mutex of etcd's Go client, on the key of a lock: both exclude each other. */
@Tag("etcd")
@Timeout(120)
class EtcdctlTest {

    private static EtcdServer server;
    private static Lockkeeper keeper;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
        keeper = Lockkeeper.builder()
                .lease(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(5))
                .connect(server.url());
    }

    @AfterAll
    static void stop() {
        keeper.close();
        server.close();
    }

    private static int places(String name) {
        return server.admin().keys("lockkeeper/q/lock/" + name + "/").size();
    }

    @Test
    void aKeeperWaitsForTheLockOfTheCommand() throws Exception {
        Process command = EtcdCtl.start(server.address(), "lock", "--ttl=60", "lockkeeper/q/lock/theirs");
        try (BufferedReader printed = command.inputReader()) {
            assertThat(printed.readLine()).startsWith("lockkeeper/q/lock/theirs/");
            assertThat(keeper.lock("theirs").tryAcquire()).isNull();
            CompletableFuture<ExclusiveHold> waiter = keeper.lock("theirs").acquireAsync();
            until("it waits", () -> places("theirs") == 2);
            assertThat(waiter).isNotDone();
            // The command gives its lock back when it is interrupted.
            ProcessSignals.end(command, "INT");
            waiter.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void theCommandWaitsForTheLockOfAKeeper() throws Exception {
        ExclusiveHold hold = keeper.lock("ours").acquire();
        Process command = EtcdCtl.start(server.address(), "lock", "--ttl=60", "lockkeeper/q/lock/ours", "echo", "mine");
        try (BufferedReader printed = command.inputReader()) {
            until("it waits", () -> places("ours") == 2);
            assertThat(printed.ready()).isFalse();
            hold.close();
            assertThat(printed.readLine()).isEqualTo("mine");
            until("it has ended", () -> !command.isAlive());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        keeper.lock("ours").acquire().close();
    }
}
