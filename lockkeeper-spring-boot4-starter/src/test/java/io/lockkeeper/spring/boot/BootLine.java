package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.boot4.LockkeeperHealthAutoConfiguration;
import io.lockkeeper.spring.boot4.LockkeeperLockRegistry;
import io.lockkeeper.spring.boot4.RedisServersAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Where this line of Spring Boot has what the tests need. */
final class BootLine {

    static final Class<?> DATA_SOURCE = DataSourceAutoConfiguration.class;
    static final Class<?> SCRIPTS = DataSourceInitializationAutoConfiguration.class;
    static final Class<?>[] REDIS = {
        SslAutoConfiguration.class, DataRedisAutoConfiguration.class, RedisServersAutoConfiguration.class
    };

    static final Class<?> HEALTH = LockkeeperHealthAutoConfiguration.class;

    /** Status and details. */
    static String health(ApplicationContext context) {
        Health health = context.getBean("lockkeeperHealthIndicator", HealthIndicator.class)
                .health(true);
        return health == null ? "" : health.getStatus() + " " + health.getDetails();
    }

    /** An initiator on a registry of that keeper. */
    static LockRegistryLeaderInitiator initiator(Lockkeeper keeper, Candidate candidate) {
        return new LockRegistryLeaderInitiator(new LockkeeperLockRegistry(keeper), candidate);
    }

    private BootLine() {}
}
