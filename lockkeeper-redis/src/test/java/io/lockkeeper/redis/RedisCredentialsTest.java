package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
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
