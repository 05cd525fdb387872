package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.testkit.TestTimeouts;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that nobody uses any more. */
@Timeout(120)
class PurgeTest {

    private static final long DAY = Duration.ofDays(1).toNanos() / 1_000;

    private static void age(SqlScene scene, Resource resource, long micros) {
        scene.sql("UPDATE {lock} SET updated_at = updated_at - " + micros + ", created_at = created_at - " + micros
                + " WHERE name = "
                + (scene.dialect instanceof BinaryKeyDialect ? hex(resource.name()) : "'" + resource.name() + "'"));
    }

    private static String hex(String name) {
        StringBuilder text = new StringBuilder("X'");
        for (byte b : name.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            text.append(String.format(java.util.Locale.ROOT, "%02x", b));
        }
        return text.append('\'').toString();
    }

    private static int purge(SqlScene scene, Duration age) throws Exception {
        try (Connection connection = scene.user.connect()) {
            Requests unused = new Requests(new DataSourceConnections(scene.user.dataSource()), scene.dialect, 1);
            return new Purge(unused, scene.dialect, age).purge(connection, age);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void rowsThatAreIdleForLongGoAndTokensDoNotGoDown(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            scene.use(scene.byUrl().keepIdleRows().build());
            Claim idle = SqlScene.exclusive(SqlScene.lock());
            Claim used = SqlScene.exclusive(SqlScene.lock());
            Claim held = SqlScene.exclusive(SqlScene.lock());
            Claim reader = SqlScene.claim(SqlScene.lock(), Mode.SHARED, Claim.Queueing.NEVER);
            long token = scene.granted("a", idle.withTokens(50)).token();
            scene.release("a", idle);
            scene.granted("a", used);
            scene.release("a", used);
            scene.granted("a", held);
            scene.granted("a", reader);
            scene.store("a").storeId();
            for (Claim claim : new Claim[] {idle, held, reader}) {
                age(scene, claim.resource(), 8 * DAY);
            }
            age(scene, used.resource(), 6 * DAY);

            assertThat(purge(scene, Duration.ofDays(7))).isEqualTo(1);
            assertThat(scene.token(held.resource())).isPositive();
            assertThat(scene.token(reader.resource())).isPositive();
            assertThat(purge(scene, Duration.ofDays(5))).isEqualTo(1);
            String id = scene.store("a").storeId();
            assertThat(scene.store("b").storeId()).isEqualTo(id);
            assertThat(scene.granted("b", SqlScene.exclusive(idle.resource())).token())
                    .isGreaterThan(token);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void keepersDoItThemselvesWhenTheyUseANewName(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            scene.use(scene.byUrl().keepIdleRows().build());
            Claim idle = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", idle);
            scene.release("a", idle);
            age(scene, idle.resource(), 8 * DAY);
            try (Lockkeeper keeper = Lockkeeper.of(scene.byUrl().keepIdleRows().build())) {
                keeper.lock("another").acquire().close();
            }
            String count = "SELECT COUNT(*) FROM {lock} WHERE family = 'lock'";
            assertThat(scene.number(count)).as("kept").isEqualTo(2);
            try (Lockkeeper keeper = Lockkeeper.of(scene.byUrl().build())) {
                keeper.lock("a third").acquire().close();
                TestTimeouts.until("the idle row is gone", () -> scene.number(count) == 2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void latchesThatAreIdleGoAndGenerationsDoNotComeBack(Place place) throws Exception {
        try (SqlScene scene = place.scene();
                Lockkeeper keeper = Lockkeeper.of(scene.byUrl().build())) {
            keeper.latch("done").trySetCount(1);
            keeper.latch("open").trySetCount(2);
            keeper.latch("open").countDown();
            long generation = scene.number("SELECT MAX(generation) FROM {latch}");
            keeper.latch("done").countDown();
            scene.sql("UPDATE {latch} SET updated_at = updated_at - " + 8 * DAY);
            purge(scene, Duration.ofDays(7));
            assertThat(keeper.latch("open").count()).isEqualTo(1);
            assertThat(scene.number("SELECT COUNT(*) FROM {latch} WHERE kind = 0"))
                    .isEqualTo(1);
            assertThat(keeper.latch("done").trySetCount(1)).isTrue();
            assertThat(scene.number("SELECT MAX(generation) FROM {latch}")).isGreaterThan(generation);
        }
    }

    @Test
    void lessThanADayIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcBackend.builder().deleteIdleRowsAfter(Duration.ofHours(1)))
                .withMessageContaining("day");
    }
}
