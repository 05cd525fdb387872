package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.OpenRow;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A decision on a row that has changed since it was read is not written, whichever statement changed it. */
@Timeout(120)
final class StaleDecisionsTest {

    @ParameterizedTest
    @EnumSource(Place.class)
    void aGrantThatWasDecidedOnAnOldRowIsNotWritten(Place place) throws Exception {
        try (SqlScene scene = place.scene();
                Connection connection = scene.admin.connect()) {
            Resource lock = SqlScene.lock();
            scene.dialect.insert(connection, lock);
            for (Durability durability : Durability.values()) {
                staleGrant(scene, connection, lock, List.of(), durability);
                staleGrant(scene, connection, lock, List.of(new LeasedStore.Signal("nobody", lock)), durability);
            }
        }
    }

    private static void staleGrant(
            SqlScene scene,
            Connection connection,
            Resource lock,
            List<LeasedStore.Signal> signals,
            Durability durability)
            throws SQLException {
        Row old = scene.dialect.read(connection, lock);
        assertThat(old).isNotNull();
        OpenRow open = old.form().open(lock);
        Claim late = SqlScene.claim(lock, Mode.SHARED, Claim.Queueing.NEVER);
        assertThat(open.store().attempt("late", late, old.now())).isInstanceOf(Answer.Granted.class);
        RowForm decided = open.changed();
        assertThat(decided).isNotNull();

        Claim first = SqlScene.exclusive(lock);
        long token = scene.granted("a", first).token();
        assertThat(scene.dialect.replace(connection, lock, old.version(), decided, signals, durability))
                .isFalse();
        assertThat(scene.token(lock)).isEqualTo(token);

        Row held = scene.dialect.read(connection, lock);
        assertThat(held).isNotNull();
        assertThat(scene.release("a", first)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(scene.dialect.replace(connection, lock, held.version(), held.form(), signals, durability))
                .as("a release is a change too")
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aReleaseByColumnsLeavesALineAlone(Place place) throws Exception {
        try (SqlScene scene = place.scene();
                Connection connection = scene.admin.connect()) {
            Resource lock = SqlScene.lock();
            Claim holder = SqlScene.exclusive(lock);
            scene.granted("a", holder);
            Claim waiter = SqlScene.claim(lock, Mode.EXCLUSIVE, Claim.Queueing.FAIR);
            scene.refused("b", waiter);
            for (Durability durability : Durability.values()) {
                assertThat(scene.dialect.release(connection, lock, holder.id(), durability))
                        .isFalse();
            }
            assertThat(scene.release("a", holder)).isEqualTo(Release.Outcome.RELEASED);
            assertThat(scene.granted("b", waiter).token()).isPositive();
        }
    }
}
