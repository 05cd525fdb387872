package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Logging in to a server, and the replies of both protocol versions. */
class LoginTest {

    private static String text(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aServerThatDoesNotAllowNamesIsAskedForThemOnce() {
        try (RedisServer server = RedisServer.options()
                        .user("app", "on", ">secret", "~*", "&*", "+@all", "-client")
                        .start();
                Redis redis = TestClients.connect(server.url("app", "secret"))) {
            assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
            int refused = ((List<?>) server.command("ACL", "LOG")).size();
            server.command("CLIENT", "KILL", "USER", "app");
            TestTimeouts.until("it connects again", () -> {
                try {
                    return redis.run(count("n"), TIMEOUT) != null;
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
                Redis redis = TestClients.connect(server.url() + "/3")) {
            redis.run(count("n"), TIMEOUT);
            assertThat(server.info("keyspace")).containsOnlyKeys("db3");
        }
    }

    /** A server that does not know a command repeats its arguments. */
    @Test
    void aPasswordIsInNoMessageEvenIfTheServerRepeatsIt() {
        try (RedisServer server = RedisServer.options()
                        .set("rename-command", "AUTH\" \"hidden")
                        .start();
                Redis redis = TestClients.connect(server.url("app", "s3cret-word"))) {
            Throwable e = catchThrowable(() -> redis.check(TIMEOUT));
            assertThat(e).isInstanceOf(LockkeeperException.class).hasMessageContaining("unknown command");
            assertThat(text(e)).doesNotContain("s3cret-word");
        }
    }

    @Test
    void aSupplierThatFailsOrHangsFailsTheRequestInTime() {
        CountDownLatch over = new CountDownLatch(1);
        AtomicReference<Supplier<Credentials>> supplier = new AtomicReference<>(() -> {
            throw new IllegalStateException("the token s3cret-word has expired");
        });
        try (RedisServer server = RedisServer.start();
                Redis redis = RedisClients.single(
                        TestScripts.address(server),
                        TestScripts.open().asking(() -> supplier.get().get()),
                        8,
                        server.url())) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), TIMEOUT))
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
                return new Credentials(null, "late");
            });
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> redis.run(count("n"), Duration.ofMillis(200)))
                    .withMessageContaining("in time");
            over.countDown();
        }
    }

    /** Every kind of reply of version 3, as a server writes it. */
    @Test
    void whateverTheServerAnswersOrPushesIsReadSafely() {
        try (RedisServer server =
                RedisServer.options().set("enable-debug-command", "yes").start()) {
            SocketConnection connection =
                    SocketConnection.open(TestScripts.address(server), TestScripts.open(), Deadline.in(TIMEOUT));
            assertThat(connection.ask(new Command("HELLO").add(3))).isInstanceOf(List.class);
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
                connection.send(new Command("DEBUG").add("PROTOCOL").add(kind));
                connection.send(new Command("ECHO").add(kind));
                Object reply = connection.receive();
                assertThat(reply == null).as(kind).isEqualTo(kind.equals("null"));
                assertThat((byte[]) connection.demand())
                        .as("the reply after %s", kind)
                        .isEqualTo(bytes(kind));
            }
            connection.send(new Command("CLIENT").add("TRACKING").add("ON").add("BCAST"));
            connection.receive();
            server.command("SET", "x", "1");
            assertThat(connection.ask(new Command("GET").add("x"))).isEqualTo(bytes("1"));
            assertThat(connection.ask(new Command("CONFIG").add("GET").add("maxmemory")))
                    .isInstanceOf(List.class);
            connection.close();
        }
    }
}
