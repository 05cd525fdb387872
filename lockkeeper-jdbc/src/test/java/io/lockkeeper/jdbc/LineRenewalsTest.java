package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Grants of readers, permits and queues, many of which are renewed at once. */
@Timeout(120)
final class LineRenewalsTest {

    private static final int NAMES = 50;

    private static Claim reader() {
        return SqlScene.claim(SqlScene.lock(), Mode.SHARED, Claim.Queueing.NEVER);
    }

    /** Two readers for each of so many names. */
    private static List<Claim> readers(SqlScene scene) {
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            Claim one = reader();
            Claim two = SqlScene.claim(one.resource(), Mode.SHARED, Claim.Queueing.NEVER);
            scene.granted("a", one);
            scene.granted("a", two);
            held.add(one);
            held.add(two);
        }
        return held;
    }

    private static List<String> statements(WatchedDataSource source) {
        return source.executed().stream()
                .filter(text -> !text.contains("LOCK_TIMEOUT") && !text.startsWith("PRAGMA"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aRowIsWrittenOnceForAllItsGrantsAndRowsTogetherWhereTheDatabaseCan(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            scene.use(scene.on(source).notifications(false).keepIdleRows().build());
            List<Claim> held = readers(scene);
            Claim alone = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", alone);
            Claim gone = reader();
            held.add(0, gone);
            held.add(alone);
            String sum = "SELECT SUM(version) FROM {lock} WHERE in_line = 1";
            long versions = scene.number(sum);
            source.executed();
            List<Renewal> answers = scene.store("a").renew(held, SqlScene.TIMEOUT);

            assertThat(statements(source).size()).isEqualTo(place == Place.POSTGRES ? 3 : 3 + NAMES);
            assertThat(scene.number(sum) - versions).as("rows written").isEqualTo(NAMES);
            assertThat(answers).hasSize(held.size());
            assertThat(answers.get(0)).isInstanceOf(Renewal.Gone.class);
            assertThat(answers.subList(1, answers.size()))
                    .allSatisfy(answer -> assertThat(answer)
                            .isInstanceOfSatisfying(
                                    Renewal.Kept.class,
                                    kept -> assertThat(kept.validity()).isGreaterThan(SqlScene.LEASE.dividedBy(2))));
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aRowThatChangedMeanwhileIsDecidedOnAgain(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            JdbcBackend others = scene.with(scene.byUrl().notifications(false).build());
            scene.use(scene.on(source).notifications(false).keepIdleRows().build());
            List<Claim> held = readers(scene);
            Claim third = SqlScene.claim(held.get(4).resource(), Mode.SHARED, Claim.Queueing.NEVER);
            Claim ended = held.get(9);
            var other = others.open(new TestKeeper("b"));
            AtomicBoolean done = new AtomicBoolean();
            // Between the statement that reads and the one that writes.
            source.fault((when, method, text) -> {
                if (when == WatchedDataSource.When.BEFORE
                        && method.startsWith("execute")
                        && text.contains("UPDATE")
                        && text.contains(" line = ")
                        && !done.getAndSet(true)) {
                    SqlScene.granted(other.attempt(third));
                    other.release(new Release(ended.resource(), ended.id(), ended.lease(), true, SqlScene.TIMEOUT));
                }
            });
            List<Renewal> answers = scene.store("a").renew(held, SqlScene.TIMEOUT);
            source.heal();

            assertThat(done).isTrue();
            for (int i = 0; i < held.size(); i++) {
                assertThat(answers.get(i)).isInstanceOf(held.get(i) == ended ? Renewal.Gone.class : Renewal.Kept.class);
            }
            assertThat(other.renew(List.of(third), SqlScene.TIMEOUT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(scene.release("a", ended)).isEqualTo(Release.Outcome.NOT_HELD);
        }
    }

    @Test
    void aRowThatIsLockedIsRenewedByItselfAndTheOthersAtOnce() throws Exception {
        try (SqlScene scene = Place.POSTGRES.scene();
                Connection blocker = scene.admin.connect()) {
            List<Claim> held = readers(scene);
            blocker.setAutoCommit(false);
            try (PreparedStatement lock = blocker.prepareStatement(
                    scene.named("SELECT 1 FROM {lock} WHERE name = ? AND family = 'lock' FOR UPDATE"))) {
                Sql.set(lock, 1, scene.dialect.key(held.get(10).resource().name()));
                lock.executeQuery().close();
            }
            List<Renewal> answers = scene.store("a").renew(held, SqlScene.TIMEOUT.dividedBy(10));
            for (int i = 0; i < held.size(); i++) {
                assertThat(answers.get(i))
                        .as("%s", i)
                        .isInstanceOf(i == 10 || i == 11 ? Renewal.Unknown.class : Renewal.Kept.class);
            }
            blocker.rollback();
            assertThat(scene.renew("a", held.get(10))).isInstanceOf(Renewal.Kept.class);
        }
    }
}
