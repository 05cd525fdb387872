package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection that a pool hands out just when the time of its request is over. */
@Timeout(120)
class LateConnectionsTest {

    private static final int TIMES = 200;

    /** Hands out its connection as soon as a deadline has passed, and says what became of it. */
    private static final class LateSource implements ConnectionSource {
        private final SqlScene scene;
        private final Deadline until;
        final CountDownLatch ended = new CountDownLatch(1);
        volatile @Nullable Connection returned;

        LateSource(SqlScene scene, Deadline until) {
            this.scene = scene;
            this.until = until;
        }

        @Override
        public @Nullable Connection idle() {
            return null;
        }

        @Override
        public Connection open() throws SQLException {
            Connection connection = scene.admin.connect();
            while (!until.hasPassed()) {
                Thread.onSpinWait();
            }
            return connection;
        }

        @Override
        public void giveBack(Connection connection) {
            returned = connection;
            ended.countDown();
        }

        @Override
        public void discard(Connection connection) {
            ConnectionSource.cut(connection);
            ended.countDown();
        }

        @Override
        public String describe() {
            return "a slow pool";
        }

        @Override
        public void close() {}
    }

    /** The caller, which gives the request up at that moment, must not cut off what the next request will use. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void isNotExecutedAndIsWholeWhenItIsGivenBack(Place place) throws Exception {
        AtomicInteger executed = new AtomicInteger();
        int whole = 0;
        try (SqlScene scene = place.scene()) {
            for (int i = 0; i < TIMES; i++) {
                Deadline until = Deadline.in(Duration.ofMillis(30));
                LateSource source = new LateSource(scene, until);
                try (Requests requests = new Requests(source, scene.dialect, 1)) {
                    assertThatThrownBy(() -> requests.run(until, connection -> executed.incrementAndGet()))
                            .isInstanceOf(StoreUnavailableException.class);
                    source.ended.await();
                    Connection returned = source.returned;
                    if (returned != null) {
                        assertThat(returned.isClosed())
                                .as("closed, though given back")
                                .isFalse();
                        returned.close();
                        whole++;
                    }
                }
            }
        }
        assertThat(executed).hasValue(0);
        assertThat(whole).as("connections that came too late and were kept").isPositive();
    }
}
