package io.lockkeeper.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a server has surely kept its memory, by what INFO says. */
final class TenancyTest {

    private static final Duration AN_HOUR = Duration.ofHours(1);

    private final Tenancy tenancy = new Tenancy();

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
        assertThat(tenancy.of(info("a", "x", "-1"))).isEqualTo(AN_HOUR);
        assertThat(tenancy.of(info("a", "x", "-1"))).isEqualTo(AN_HOUR);
    }

    @Test
    void aServerThatRestartedIsAsOldAsItWasSeenThoughItsClockWasSetForward() {
        tenancy.of(info("a", "x", "-1"));
        assertThat(tenancy.of(info("b", "y", "-1"))).isLessThan(AN_HOUR);
        assertThat(tenancy.of(info("b", "y", "-1"))).isLessThan(AN_HOUR);
    }

    @Test
    void aServerThatWasPromotedIsAsOldAsItWasSeen() {
        assertThat(tenancy.of(info("a", "x", "100"))).isLessThan(AN_HOUR);
    }

    @Test
    void aReplicaHasNoTimeOfItsOwn() {
        assertThat(tenancy.of(Map.of("role", "slave", "uptime_in_seconds", "3601")))
                .isZero();
    }
}
