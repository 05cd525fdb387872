package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.boot3.LockkeeperHealthAutoConfiguration;
import io.lockkeeper.spring.boot3.LockkeeperLockRegistry;
import io.lockkeeper.spring.boot3.RedisServersAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Where this line of Spring Boot has what the tests need. */
final class BootLine {

    static final Class<?> DATA_SOURCE = DataSourceAutoConfiguration.class;
    static final Class<?> SCRIPTS = SqlInitializationAutoConfiguration.class;
    static final Class<?>[] REDIS = {
        SslAutoConfiguration.class, RedisAutoConfiguration.class, RedisServersAutoConfiguration.class
    };

    static final Class<?> HEALTH = LockkeeperHealthAutoConfiguration.class;

    /** Status and details. */
    static String health(ApplicationContext context) {
        Health health = context.getBean("lockkeeperHealthIndicator", HealthIndicator.class)
                .getHealth(true);
        return health == null ? "" : health.getStatus() + " " + health.getDetails();
    }

    /** An initiator on a registry of that keeper. */
    static LockRegistryLeaderInitiator initiator(Lockkeeper keeper, Candidate candidate) {
        return new LockRegistryLeaderInitiator(new LockkeeperLockRegistry(keeper), candidate);
    }

    private BootLine() {}
}
