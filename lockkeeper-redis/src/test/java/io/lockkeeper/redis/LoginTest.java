package io.lockkeeper.redis;

import static io.lockkeeper.redis.Calls.LIMIT;
import static io.lockkeeper.redis.Calls.bytes;
import static io.lockkeeper.redis.Calls.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How a server is entered, and what it is told and tells. */
class LoginTest {

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
    void aServerThatDoesNotAllowNamesIsAskedForThemOnce() {
        try (RedisServer server = RedisServer.options()
                        .user("app", "on", ">secret", "~*", "&*", "+@all", "-client")
                        .start();
                Redis redis = Deployment.connect(server.url("app", "secret"))) {
            assertThat(redis.run(count("n"), LIMIT)).isEqualTo(1L);
            int refused = ((List<?>) server.command("ACL", "LOG")).size();
            server.command("CLIENT", "KILL", "USER", "app");
            TestTimeouts.until("it connects again", () -> {
                try {
                    return redis.run(count("n"), LIMIT) != null;
                } catch (StoreUnavailableException cut) {
                    return false;
                }
            });

            assertThat((List<?>) server.command("ACL", "LOG")).hasSize(refused);
        }
    }

    @Test
    void aDatabaseIsSelectedForEachConnection() {
        try (RedisServer server = RedisServer.start();
                Redis redis = Deployment.connect(server.url() + "/3")) {
            redis.run(count("n"), LIMIT);
            assertThat(server.info("keyspace")).containsOnlyKeys("db3");
        }
    }

    /** A server that does not know a command repeats its arguments. */
    @Test
    void aPasswordIsInNoMessageEvenIfTheServerRepeatsIt() {
        try (RedisServer server = RedisServer.options()
                        .set("rename-command", "AUTH\" \"hidden")
                        .start();
                Redis redis = Deployment.connect(server.url("app", "s3cret-word"))) {
            Throwable e = catchThrowable(() -> redis.check(LIMIT));
            assertThat(e).isInstanceOf(LockkeeperException.class).hasMessageContaining("unknown command");
            assertThat(text(e)).doesNotContain("s3cret-word");
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
    void aSupplierThatFailsOrHangsFailsTheRequestInTime() {
        CountDownLatch over = new CountDownLatch(1);
        AtomicReference<Supplier<RedisCredentials>> supplier = new AtomicReference<>(() -> {
            throw new IllegalStateException("the token s3cret-word has expired");
        });
        try (RedisServer server = RedisServer.start();
                Redis redis = Deployment.connect(
                        RedisUrl.parse(server.url()), null, () -> supplier.get().get())) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), LIMIT))
                    .withMessageContaining("supplier of credentials")
                    .withMessageNotContaining("s3cret-word")
                    .havingCause()
                    .isInstanceOf(IllegalStateException.class);

            supplier.set(() -> {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return RedisCredentials.ofPassword("late");
            });
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), Duration.ofMillis(200)))
                    .withMessageContaining("in time");
            over.countDown();
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

    /** Every kind of reply of version 3, as a server writes it. */
    @Test
    void whateverTheServerAnswersOrPushesIsReadSafely() {
        try (RedisServer server =
                RedisServer.options().set("enable-debug-command", "yes").start()) {
            Wire wire = Wire.open(Servers.address(server), Calls.open(), Deadline.in(LIMIT));
            assertThat(wire.ask(new Command("HELLO").add(3))).isInstanceOf(List.class);
            for (String kind : List.of(
                    "string",
                    "integer",
                    "double",
                    "null",
                    "array",
                    "set",
                    "map",
                    "attrib",
                    "push",
                    "verbatim",
                    "true",
                    "false",
                    "bignum")) {
                wire.send(new Command("DEBUG").add("PROTOCOL").add(kind));
                wire.send(new Command("ECHO").add(kind));
                Object reply = wire.receive();
                assertThat(reply == null).as(kind).isEqualTo(kind.equals("null"));
                assertThat((byte[]) wire.demand())
                        .as("the reply after %s", kind)
                        .isEqualTo(bytes(kind));
            }
            wire.send(new Command("CLIENT").add("TRACKING").add("ON").add("BCAST"));
            wire.receive();
            server.command("SET", "x", "1");
            assertThat(wire.ask(new Command("GET").add("x"))).isEqualTo(bytes("1"));
            assertThat(wire.ask(new Command("CONFIG").add("GET").add("maxmemory")))
                    .isInstanceOf(List.class);
            wire.close();
        }
    }
}
