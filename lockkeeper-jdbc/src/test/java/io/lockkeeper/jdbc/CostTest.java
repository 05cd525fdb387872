package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What locks cost a PostgreSQL server that waits for the disk. The figures go to {@code target/cost.txt} and are not compared with anything. */
@Tag("once")
@Timeout(600)
class CostTest {

    private static final int ATTEMPTS = 1_000;
    private static final int WARM_UP = 50;
    private static final int PAIRS = 300;

    private PostgresServer server;
    private SqlDatabase database;

    @BeforeEach
    void start() {
        server = PostgresServer.options().fsync(true).start();
        database = server.createDatabase();
    }

    @AfterEach
    void end() {
        server.close();
    }

    /** With a lease that is not renewed while the test runs. */
    private Lockkeeper keeper(Duration lease) {
        return Lockkeeper.builder()
                .lease(lease)
                .connect(database.with("lockkeeper.createTables", "true").fullUrl());
    }

    private record Cost(long wal, long ids, long commits, long syncs, long micros) {

        Cost minus(Cost before) {
            return new Cost(
                    wal - before.wal,
                    ids - before.ids,
                    commits - before.commits,
                    syncs - before.syncs,
                    micros - before.micros);
        }

        String over(double count) {
            return String.format(
                    Locale.ROOT,
                    "%.2f WAL bytes, %.3f transaction ids, %.3f statements, %.3f WAL syncs, %.3f ms of sessions",
                    wal / count,
                    ids / count,
                    commits / count,
                    syncs / count,
                    micros / 1000.0 / count);
        }
    }

    private Cost cost() {
        return new Cost(server.walBytes(), server.transactionIds(), server.commits(database), server.walSyncs(), (long)
                (1000
                        * Double.parseDouble(server.admin()
                                .value("SELECT active_time FROM pg_stat_database WHERE datname = '" + database.name()
                                        + "'"))));
    }

    @Test
    void anAttemptThatFailsWritesNothing() {
        Duration lease = Duration.ofMinutes(10);
        try (Lockkeeper holder = keeper(lease);
                Lockkeeper other = keeper(lease);
                ExclusiveHold held = holder.lock("a").tryAcquire()) {
            DistributedLock lock = other.lock("a");
            // The first reads of a page may tidy it up, which the server logs.
            for (int i = 0; i < WARM_UP; i++) {
                assertThat(lock.tryAcquire()).isNull();
            }
            long mark = server.mark();
            long wal = server.walBytes();
            long ids = server.transactionIds();
            for (int i = 0; i < ATTEMPTS; i++) {
                assertThat(lock.tryAcquire()).isNull();
            }
            assertThat(server.walBytes() - wal).as("bytes of WAL").isZero();
            assertThat(server.transactionIds() - ids).as("transaction ids").isZero();
            assertThat(server.troubleSince(mark)).isEmpty();
            assertThat(held).isNotNull();
        }
    }

    /** A release is on disk with the next grant, or when the server writes its log by itself, every 0.2 s. */
    @Test
    void aPairIsTwoStatementsAndWaitsForTheDiskOnce() {
        keeper(Duration.ofMinutes(1)).close();
        Cost before = cost();
        long start = System.nanoTime();
        try (Lockkeeper keeper = keeper(Duration.ofMinutes(1))) {
            for (int i = 0; i < PAIRS; i++) {
                keeper.lock("pair").lock();
                keeper.lock("pair").unlock();
            }
        }
        Cost pairs = cost().minus(before);
        long byItself = 10 + (System.nanoTime() - start) / 100_000_000;
        assertThat(pairs.ids).as("transactions that wrote").isBetween(2L * PAIRS, 2L * PAIRS + 5);
        assertThat(pairs.syncs).as("waits for the disk").isBetween((long) PAIRS, PAIRS + byItself);
        assertThat(pairs.commits).as("statements").isBetween(2L * PAIRS, 2L * PAIRS + 30);
    }

    /** To a file too, since a case that passes prints nothing. */
    private static void tell(String line) throws IOException {
        System.out.println(line);
        Files.writeString(
                Path.of("target", "cost.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    @Tag("full")
    void figures() throws IOException {
        keeper(Duration.ofMinutes(10)).close();
        Cost before = cost();
        try (Lockkeeper keeper = keeper(Duration.ofMinutes(10))) {
            for (int i = 0; i < ATTEMPTS; i++) {
                keeper.lock("pair").lock();
                keeper.lock("pair").unlock();
            }
        }
        tell("one pair: " + cost().minus(before).over(ATTEMPTS));

        try (Lockkeeper holder = keeper(Duration.ofMinutes(10));
                ExclusiveHold held = holder.lock("held").tryAcquire()) {
            Cost first = cost();
            try (Lockkeeper keeper = keeper(Duration.ofMinutes(10))) {
                for (int i = 0; i < ATTEMPTS; i++) {
                    assertThat(keeper.lock("held").tryAcquire()).isNull();
                }
            }
            tell("one failed attempt: " + cost().minus(first).over(ATTEMPTS));
            assertThat(held).isNotNull();
        }

        try (Lockkeeper keeper = keeper(Duration.ofSeconds(30))) {
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                ExclusiveHold hold = keeper.lock("many-" + i).tryAcquire();
                assertThat(hold).isNotNull();
                holds.add(hold);
            }
            Cost first = cost();
            long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            tell("10,000 held for a minute: " + cost().minus(first).over(1));
            assertThat(holds).allMatch(ExclusiveHold::isHeld);
        }
    }
}
