package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.AbstractList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * A connection with an unread reply is not used again, whatever was thrown. Otherwise each later reply on it would answer the
 * request before: one caller would read the grant of another.
 */
class UnreadRepliesTest {

    /** What a stack that overflows or a heap that runs out looks like to the code in between. */
    private static final class Sudden extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A call that throws while it is being written, after calls before it were sent. */
    private static Redis.Call sudden(Script script, String key) {
        return new Redis.Call(script, List.of(bytes(key)), new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                throw new Sudden();
            }

            @Override
            public int size() {
                return 1;
            }
        });
    }

    /** So big that it is sent, and what is before it, without waiting for more. */
    private static Redis.Call big(String key) {
        return new Redis.Call(TestScripts.COUNT, List.of(bytes(key)), List.of(bytes("1"), new byte[100_000]));
    }

    private static void repliesAreTheirOwn(Redis redis, String key) {
        for (int i = 0; i < 3; i++) {
            assertThat(redis.run(count(key, 1000), TIMEOUT))
                    .as("the only caller of this number")
                    .isEqualTo(1000L * (i + 1));
            assertThat(redis.run(new Redis.Call(TestScripts.KINDS, List.of(), List.of()), TIMEOUT))
                    .isInstanceOf(List.class);
        }
    }

    private static void fails(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(Sudden.class);
    }

    /** All ways of asking, with an Error in the middle of each. */
    private static void suddenlyInEachWay(Redis redis, String tag) {
        String a = "a" + tag;
        redis.runAll(List.of(count(a)), TIMEOUT);
        fails(() -> redis.run(sudden(TestScripts.COUNT, a), TIMEOUT));
        repliesAreTheirOwn(redis, "after a script" + tag);
        fails(() -> redis.run(sudden(TestScripts.LONG_COUNT, a), TIMEOUT));
        repliesAreTheirOwn(redis, "after a long script" + tag);
        fails(() -> redis.runAll(List.of(count(a), big(a), sudden(TestScripts.COUNT, a)), TIMEOUT));
        repliesAreTheirOwn(redis, "after several scripts" + tag);
        fails(() -> redis.runFirst(List.of(count(a), big(a), sudden(TestScripts.COUNT, a)), TIMEOUT));
        repliesAreTheirOwn(redis, "after a renewal" + tag);
        fails(() -> redis.run(sudden(TestScripts.COUNT, a), 0, TIMEOUT));
        repliesAreTheirOwn(redis, "after a wait for replicas" + tag);
    }

    @Test
    void onOneServer() {
        try (RedisServer server = RedisServer.start();
                Redis redis = TestClients.single("127.0.0.1", server.port())) {
            suddenlyInEachWay(redis, "");
        }
    }

    @Test
    void inACluster() {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(options -> options);
                Redis redis = TestClients.connect(cluster.url())) {
            suddenlyInEachWay(redis, "{one slot}");
        }
    }

    /** An Error that is thrown between the sending of a request and its reply. */
    @Test
    void whatIsGivenBackWithoutItsReplyIsClosed() {
        try (RedisServer server = RedisServer.start()) {
            ConnectionPool pool = new ConnectionPool(TestScripts.address(server), TestScripts.open(), 4);
            Deadline until = Deadline.in(TIMEOUT);
            SocketConnection connection = pool.take(until);
            connection.send(Commands.ping());
            connection.flush();

            pool.give(connection);

            SocketConnection next = pool.take(until);
            assertThat(next).isNotSameAs(connection);
            assertThat(connection.isBroken()).isTrue();
            assertThat(next.ask(Commands.ping())).isEqualTo(bytes("PONG"));
            pool.give(next);
            assertThat(pool.take(until))
                    .as("one that owes nothing is used again")
                    .isSameAs(next);
            pool.close();
        }
    }

    @Test
    void whatWasOnlyWrittenAndNotSentIsNotSentLater() {
        try (RedisServer server = RedisServer.start()) {
            ConnectionPool pool = new ConnectionPool(TestScripts.address(server), TestScripts.open(), 4);
            Deadline until = Deadline.in(TIMEOUT);
            SocketConnection connection = pool.take(until);
            connection.send(count("n"), true);
            pool.give(connection);

            SocketConnection next = pool.take(until);
            assertThat(next.ask(Commands.ping())).isEqualTo(bytes("PONG"));
            assertThat(server.command("GET", "n")).isNull();
            pool.close();
        }
    }
}
