package io.lockkeeper.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a server has certainly kept its memory, according to INFO. */
final class PrimaryUptimeTest {

    private static final Duration AN_HOUR = Duration.ofHours(1);

    private final PrimaryUptime primaryUptime = new PrimaryUptime();

    private static Map<String, String> info(String run, String replication, String secondOffset) {
        return Map.of(
                "role", "master",
                "uptime_in_seconds", "3601",
                "run_id", run,
                "master_replid", replication,
                "second_repl_offset", secondOffset);
    }

    @Test
    void aServerThatIsSeenForTheFirstTimeIsBelieved() {
        assertThat(primaryUptime.of(info("a", "x", "-1"))).isEqualTo(AN_HOUR);
        assertThat(primaryUptime.of(info("a", "x", "-1"))).isEqualTo(AN_HOUR);
    }

    @Test
    void aRestartIsNotHiddenByAClockSetForward() {
        primaryUptime.of(info("a", "x", "-1"));
        assertThat(primaryUptime.of(info("b", "y", "-1"))).isLessThan(AN_HOUR);
        assertThat(primaryUptime.of(info("b", "y", "-1"))).isLessThan(AN_HOUR);
    }

    @Test
    void aServerThatWasPromotedIsAsOldAsItWasSeen() {
        assertThat(primaryUptime.of(info("a", "x", "100"))).isLessThan(AN_HOUR);
    }

    @Test
    void aReplicaHasNoTimeOfItsOwn() {
        assertThat(primaryUptime.of(Map.of("role", "slave", "uptime_in_seconds", "3601")))
                .isZero();
    }
}
