package io.lockkeeper.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock with the database's time, over HikariCP. It cannot wait, so it takes part only where nobody has to. */
final class ShedLockPeer implements Peer {

    static final Library LIBRARY = new Library(
            "shedlock",
            "ShedLock",
            "postgresql",
            "net.javacrumbs.shedlock:shedlock-provider-jdbc-template",
            Set.of(Feature.LOCK),
            ShedLockPeer::new);

    private static final Duration LEASE = Duration.ofMillis(LEASE_MILLIS);

    private final HikariDataSource pool;
    private final JdbcTemplateLockProvider provider;

    private ShedLockPeer(String url) {
        pool = Pool.at(url);
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    private Optional<SimpleLock> ask(String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO));
    }

    @Override
    public Mutex lock(String name) {
        return new Mutex() {
            private @Nullable SimpleLock held;

            @Override
            public long acquire() {
                held = ask(name).orElseThrow(() -> new IllegalStateException("ShedLock does not wait for " + name));
                return 0;
            }

            @Override
            public void release() {
                SimpleLock lock = held;
                if (lock != null) {
                    lock.unlock();
                }
            }
        };
    }

    @Override
    public boolean tryOnce(String name) {
        Optional<SimpleLock> lock = ask(name);
        lock.ifPresent(SimpleLock::unlock);
        return lock.isPresent();
    }

    @Override
    public void close() {
        pool.close();
    }
}
