package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.testkit.sql.PgBouncer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything but notifications and session locks works behind a pooler of transactions. It needs a PgBouncer, so it is no part of the default build:
 * the profile {@code pgbouncer} runs it.
 */
@Timeout(180)
final class PoolerCheck {

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord line) {
            warnings.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    void locksWorkBehindAPoolerOfTransactionsAndTheLogSaysOnceThatWaitingPolls() throws Exception {
        Logger log = Logger.getLogger("io.lockkeeper.jdbc");
        log.addHandler(recorder);
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server, 2)) {
            SqlDatabase database = server.createDatabase();
            TestTables.create(database, new Tables(null, Tables.DEFAULT_PREFIX), null);
            String url = pooler.through(database).fullUrl();
            try (Lockkeeper one = Lockkeeper.connect(url);
                    Lockkeeper two = Lockkeeper.connect(url)) {
                // More often than the driver executes a statement before it prepares it on the server.
                long last = 0;
                for (int i = 0; i < 100; i++) {
                    try (ExclusiveHold hold =
                            (i % 2 == 0 ? one : two).lock("pair").acquire()) {
                        assertThat(hold.token()).isGreaterThan(last);
                        last = hold.token();
                    }
                }
                handOver(one, two);
                try (Permit permit = one.semaphore("permits", 3).acquire(2)) {
                    assertThat(two.semaphore("permits", 3).tryAcquire(2)).isNull();
                    assertThat(permit.remaining()).isPositive();
                }
                DistributedLatch latch = one.latch("latch");
                latch.trySetCount(1);
                CompletableFuture<?> waits = two.latch("latch").awaitAsync();
                latch.countDown();
                waits.get(60, TimeUnit.SECONDS);
            }
            assertThat(warnings).hasSize(2).allMatch(line -> line.contains("waiting for a lock polls"));
        } finally {
            log.removeHandler(recorder);
        }
    }

    /** Also if the pool has a single connection, which every statement then comes to: it happens to work, and is no proof. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    void sessionLocksAreRefusedBehindAPoolerOfTransactionsInOneSentence(int size) {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server, size);
                SessionLocksBackend backend = SessionLocksBackend.at(
                        pooler.through(server.createDatabase()).fullUrl())) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> Lockkeeper.of(backend))
                        .isInstanceOf(UnfitDatabaseException.class)
                        .hasMessageContaining("pooler")
                        .hasMessageContaining("session mode");
            }
            assertThat(server.admin().number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
                    .as("nothing is left behind")
                    .isZero();
        }
    }

    @Test
    void sessionLocksWorkBehindAPoolerOfSessions() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.ofSessionsBefore(server, 4);
                SessionLocksBackend backend = SessionLocksBackend.at(
                        pooler.through(server.createDatabase()).fullUrl());
                Lockkeeper one = Lockkeeper.of(backend);
                Lockkeeper two = Lockkeeper.of(backend)) {
            try (ExclusiveHold hold = one.lock("a").acquire()) {
                assertThat(hold.isHeld()).isTrue();
                assertThat(two.lock("a").tryAcquire()).isNull();
            }
            two.lock("a").acquire().close();
        }
    }

    private static void handOver(Lockkeeper one, Lockkeeper two) throws Exception {
        for (int i = 0; i < 20; i++) {
            ExclusiveHold hold = one.lock("handed").acquire();
            CompletableFuture<ExclusiveHold> next = two.lock("handed").tryAcquireAsync(Duration.ofMinutes(1));
            hold.close();
            next.get(60, TimeUnit.SECONDS).close();
        }
    }
}
