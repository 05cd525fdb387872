package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The credentials of a backend, and the names of its connections. */
class RedisCredentialsTest {

    private static String text(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String clients(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST"));
    }

    @Test
    void theListOfClientsShowsWhichKeeperAConnectionIsOf() {
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.connect(server.url())) {
            keeper.lock("a").tryAcquire();
            TestTimeouts.until(
                    "it listens and asks",
                    () -> clients(server)
                                    .lines()
                                    .filter(line -> line.contains("name=lockkeeper:"))
                                    .count()
                            >= 2);
            String list = clients(server);
            if (!server.info("server").get("redis_version").matches("[67]\\.[01].*|6.*")) {
                assertThat(list).contains("lib-name=lockkeeper");
            }
        }
    }

    @Test
    void credentialsAreAskedForAtEachNewConnection() {
        AtomicReference<String> password = new AtomicReference<>("first-word");
        AtomicInteger asked = new AtomicInteger();
        Supplier<RedisCredentials> vault = () -> {
            asked.incrementAndGet();
            return RedisCredentials.of("app", password.get());
        };
        try (RedisServer server = RedisServer.options()
                        .user("app", "on", ">first-word", "~*", "&*", "+@all")
                        .start();
                RedisBackend backend = RedisBackend.builder()
                        .url("redis://127.0.0.1:" + server.port())
                        .credentials(vault)
                        .build();
                Lockkeeper keeper = Lockkeeper.of(backend)) {
            try (SingleHold hold = keeper.lock("a").tryAcquire()) {
                assertThat(hold).isNotNull();
            }
            assertThat(asked.get()).isPositive();

            // The password changes: connections that are open stay, new ones need the new one.
            server.command("ACL", "SETUSER", "app", "resetpass", ">second-word");
            server.command("CLIENT", "KILL", "USER", "app");
            TestTimeouts.until("the old password is refused", () -> {
                try {
                    keeper.lock("a").tryAcquire();
                    return false;
                } catch (LockkeeperException e) {
                    assertThat(text(e)).doesNotContain("first-word");
                    return e.getMessage().contains("does not know this user with this password");
                }
            });

            password.set("second-word");
            TestTimeouts.until("the new password is accepted", () -> {
                try (SingleHold hold = keeper.lock("b").tryAcquire()) {
                    return hold != null;
                } catch (LockkeeperException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void eachConnectionToANodeOfAClusterHasCredentialsOfItsOwn() {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(AppUser::onCluster)) {
            eachConnectionIsAskedFor(cluster.url(), cluster.nodes());
        }
    }

    @Test
    void eachConnectionToThePrimaryOfSentinelsHasCredentialsOfItsOwn() {
        try (RedisSentinels group = RedisSentinels.start(AppUser::on)) {
            eachConnectionIsAskedFor(group.url(), List.of(group.primary()));
        }
    }

    /** Requests, the look at the table of slots or the role, and the subscription: as one user, each with its own answer. */
    private static void eachConnectionIsAskedFor(String url, List<RedisServer> servers) {
        AtomicInteger asked = new AtomicInteger();
        try (RedisBackend backend = RedisBackend.builder()
                        .url(url)
                        .credentials(() -> {
                            asked.incrementAndGet();
                            return RedisCredentials.of(AppUser.NAME, AppUser.PASSWORD);
                        })
                        .build();
                Lockkeeper keeper = PatientKeepers.keeper().open(backend)) {
            for (int i = 0; i < 20; i++) {
                try (SingleHold hold = keeper.lock("name " + i).tryAcquire()) {
                    assertThat(hold).isNotNull();
                }
            }
            TestTimeouts.until(
                    "it listens",
                    () -> servers.stream().anyMatch(server -> clients(server).contains("cmd=subscribe")));
            List<String> ours = servers.stream()
                    .flatMap(server -> clients(server).lines())
                    .filter(line -> line.contains(" name=lockkeeper"))
                    .toList();
            assertThat(ours).hasSizeGreaterThan(servers.size()).allMatch(line -> line.contains("user=" + AppUser.NAME));
            assertThat(asked.get()).isGreaterThanOrEqualTo(ours.size());
        }
    }

    @Test
    void credentialsOfTwoKindsAreRefused() {
        Supplier<RedisCredentials> supplier = () -> RedisCredentials.of("app", "word");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RedisBackend.builder()
                        .url("redis://app:s3cret-word@localhost")
                        .credentials(supplier)
                        .build())
                .withMessageContaining("leave one of them out")
                .withMessageNotContaining("s3cret-word");
        assertThat(supplier.get().toString()).contains("app").doesNotContain("word");
    }
}
