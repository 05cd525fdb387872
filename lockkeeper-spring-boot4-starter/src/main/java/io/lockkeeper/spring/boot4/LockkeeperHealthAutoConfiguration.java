package io.lockkeeper.spring.boot4;

import io.lockkeeper.spring.boot.StoreChecks;
import io.lockkeeper.spring.boot.StoreChecksAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the stores, unless {@code management.health.lockkeeper.enabled=false}. */
@AutoConfiguration(after = StoreChecksAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("lockkeeper")
@ConditionalOnBean(StoreChecks.class)
public class LockkeeperHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "lockkeeperHealthIndicator")
    HealthIndicator lockkeeperHealthIndicator(StoreChecks checks) {
        return new LockkeeperHealthIndicator(checks);
    }
}
