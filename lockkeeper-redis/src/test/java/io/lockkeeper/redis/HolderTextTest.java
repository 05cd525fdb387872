package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What operators see who look into the server, and that locking does not pay for it. */
class HolderTextTest {

    private static final String NAME = "orders/42";

    /** As it stands in docs/redis.md: {@code redis-cli GET "key"} and {@code HGETALL "key"}. */
    private static String[] documented(String command) throws IOException {
        Matcher said =
                Pattern.compile(command + " \"([^\"]+)\"").matcher(Files.readString(Path.of("../docs/redis.md")));
        assertThat(said.find()).as("docs/redis.md tells of " + command).isTrue();
        return new String[] {command, said.group(1)};
    }

    @Test
    void theCommandsOfTheDocumentsShowWhoHolds() throws Exception {
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .claimIds(() -> "ourOwnIdentifier"
                                + UUID.randomUUID().toString().replace("-", ""))
                        .connect(server.url())) {
            try (ExclusiveHold hold = keeper.lock(NAME).acquire()) {
                HolderInfo holder =
                        keeper.inspect(NAME).orElseThrow().grants().get(0).holder();

                String claim = String.valueOf(server.command(documented("GET")));
                assertThat(claim).startsWith("ourOwnIdentifier");
                assertThat(hold.id()).startsWith(claim);
                assertThat(String.valueOf(server.command(documented("HGETALL"))))
                        .contains(claim)
                        .contains(holder.host() + " " + ProcessHandle.current().pid())
                        .contains(Long.toString(hold.token()));
            }
            assertThat(server.command(documented("GET"))).isNull();
        }
    }

    @Test
    void lockingWritesOnlyTheKeysOfTheName() throws Exception {
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.connect(server.url())) {
            keeper.lock("warm").acquire().close();
            server.command("FLUSHALL");
            server.resetStats();
            ExclusiveHold hold = keeper.lock(NAME).acquire();
            String key = "lockkeeper:{lock:" + NAME + "}";
            assertThat(keys(server)).containsExactlyInAnyOrder(key, key + ":s");
            hold.close();
            assertThat(keys(server)).containsExactly(key + ":s");

            Map<String, Long> run = server.commandStats();
            run.keySet().retainAll(List.of("set", "hset", "sadd", "zadd", "rpush", "incr", "publish"));
            assertThat(run).as("no index is written").containsOnlyKeys("set", "hset");
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> keys(RedisServer server) {
        return (List<String>) Objects.requireNonNull(server.command("KEYS", "*"));
    }

    @Test
    void allLocksAreListedByLookingThroughEachNode() throws Exception {
        try (RedisCluster cluster = RedisCluster.startWithoutReplicas(AppUser::onCluster);
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(Duration.ofMinutes(1))
                        .connect(cluster.url(AppUser.NAME, AppUser.PASSWORD))) {
            List<String> names = new ArrayList<>();
            List<SingleHold> holds = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String name = (i % 2 == 0 ? "orders/" : "users/") + i;
                holds.add(keeper.lock(name).acquire());
                names.add(name);
            }
            assertThat(cluster.nodes()).allMatch(node -> keys(node).size() > 5);
            cluster.nodes().forEach(RedisServer::resetStats);

            assertThat(keeper.list(""))
                    .extracting(state -> state.resource().name())
                    .containsExactlyInAnyOrderElementsOf(names);
            assertThat(cluster.nodes())
                    .allSatisfy(node ->
                            assertThat(node.commandStats()).containsKey("scan").doesNotContainKey("keys"));
            assertThat(keeper.list("users/"))
                    .extracting(ResourceState::resource)
                    .hasSize(30)
                    .allMatch(resource -> resource.name().startsWith("users/"));
            holds.forEach(SingleHold::close);
            // One whose release was answered too late is released in the background.
            Eventually.holds(() -> keeper.list("").isEmpty());
        }
    }
}
