package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands of docs/redis.md, sent to a server as they stand there, do what the page says. */
@Timeout(60)
final class RedisPageTest {

    private static final Pattern COMMAND = Pattern.compile("`(?:redis-cli )?([A-Z]+) \"(\\S+)\"`");

    private static final Pattern RIGHTS = Pattern.compile("(?m)^ACL SETUSER .*$");

    @Test
    void theUserOfThePageMayLock() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "redis.md"));
        try (RedisServer server = RedisServer.start()) {
            List<Object> answers = RIGHTS.matcher(page)
                    .results()
                    .map(line -> server.command(line.group().split(" ")))
                    .toList();
            assertThat(answers).isNotEmpty().containsOnly("OK");
            try (Lockkeeper keeper = Lockkeeper.connect(server.url("app", "secret"));
                    ExclusiveHold hold = keeper.fairLock("orders/42").acquire()) {
                assertThat(keeper.inspect("orders/42")).isPresent();
                assertThat(hold.token()).isPositive();
            }
        }
    }

    @Test
    void commandsThatLookAtALockShowIt() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "redis.md"));
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.connect(server.url());
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            List<Object> answers = COMMAND.matcher(page)
                    .results()
                    .map(command -> server.command(command.group(1), command.group(2)))
                    .toList();
            assertThat(answers).hasSizeGreaterThanOrEqualTo(2);
            assertThat(answers).noneMatch(answer -> answer == null || answer.equals(List.of()));
            assertThat(answers.toString()).contains(String.valueOf(hold.token()));
        }
    }
}
