package io.lockkeeper.spring.boot;

import io.lockkeeper.spring.boot3.LockkeeperHealthAutoConfiguration;
import io.lockkeeper.spring.boot3.RedisServersAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.context.ApplicationContext;

/** Where this line of Spring Boot has what the tests need. */
final class BootLine {

    static final Class<?> DATA_SOURCE = DataSourceAutoConfiguration.class;
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

    private BootLine() {}
}
