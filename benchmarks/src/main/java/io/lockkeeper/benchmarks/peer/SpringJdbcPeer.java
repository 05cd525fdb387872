package io.lockkeeper.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's registry in a database over HikariCP, default settings apart from the lease (it has 10 s). */
final class SpringJdbcPeer implements Peer {

    static final Library LIBRARY = new Library(
            "spring-jdbc",
            "Spring JdbcLockRegistry",
            "postgresql",
            "org.springframework.integration:spring-integration-jdbc",
            Set.of(Feature.LOCK, Feature.REENTRANT),
            SpringJdbcPeer::new);

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    private SpringJdbcPeer(String url) {
        pool = Pool.at(url);
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, Duration.ofMillis(LEASE_MILLIS));
    }

    @Override
    public Mutex lock(String name) {
        return new OfLock(registry.obtain(name));
    }

    @Override
    public boolean tryOnce(String name) {
        Lock lock = registry.obtain(name);
        boolean had = lock.tryLock();
        if (had) {
            lock.unlock();
        }
        return had;
    }

    @Override
    public void close() {
        repository.close();
        pool.close();
    }
}
