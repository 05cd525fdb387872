package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static io.lockkeeper.redis.client.TestScripts.counts;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.redis.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One server. */
class PrimaryRedisTest {

    private final RedisServer server = RedisServer.start();
    private final Redis redis = TestClients.single("127.0.0.1", server.port());

    @AfterEach
    void end() {
        redis.close();
        server.close();
    }

    @Test
    void repliesAreNumbersBytesListsAndNull() {
        Object reply = redis.run(new Redis.Call(TestScripts.KINDS, List.of(), List.of()), TIMEOUT);

        assertThat(reply)
                .usingRecursiveComparison()
                .isEqualTo(Arrays.asList(1L, bytes("text"), List.of(2L, bytes("inner")), null));
    }

    @Test
    void aScriptThatTheServerDoesNotKnowIsRunOnce() {
        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
        server.command("SCRIPT", "FLUSH");
        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(2L);
        assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(3L);
    }

    @Test
    void aPipelineOfUnknownScriptsRunsEachOnce() {
        List<Object> replies = redis.runAll(counts("n", 100), TIMEOUT);
        server.command("SCRIPT", "FLUSH");
        List<Object> again = redis.runAll(counts("n", 100), TIMEOUT);

        assertThat(replies)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
        assertThat(again)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(101, 200).boxed().toList());
    }
}
