package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lock costs on the wire and in the server's log. */
@Timeout(120)
class CostTest {

    private static final int PAIRS = 200;

    private static long number(String text, String pattern, int radix) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Long.parseLong(found.group(1), radix);
    }

    @Test
    void anUncontendedPairIsThreeRequestsAndTwoWrites() throws Exception {
        try (ZookeeperServer server = ZookeeperServer.start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(Duration.ofMinutes(5))
                        .commandTimeout(Duration.ofSeconds(10))
                        .connect("zk://" + server.address())) {
            keeper.lock("a").acquire().close();
            String before = server.ask("srvr");
            for (int i = 0; i < PAIRS; i++) {
                keeper.lock("a").acquire().close();
            }
            String after = server.ask("srvr");
            long requests = number(after, "Received: (\\d+)", 10) - number(before, "Received: (\\d+)", 10);
            long writes = number(after, "Zxid: 0x([0-9a-f]+)", 16) - number(before, "Zxid: 0x([0-9a-f]+)", 16);
            // Once a second the server itself tries to remove folders that are empty just then.
            assertThat(writes).isBetween(2L * PAIRS, 2L * PAIRS + 10);
            // The server counts these two questions and its pings as well.
            assertThat(requests).isBetween(3L * PAIRS, 3L * PAIRS + 10);
        }
    }
}
