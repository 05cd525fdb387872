package io.lockkeeper.spring.boot;

import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The meters of the keepers, where Micrometer and lockkeeper-micrometer are. */
@AutoConfiguration(
        before = LockkeeperAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
        })
@ConditionalOnClass({LockkeeperMetrics.class, MeterRegistry.class})
@ConditionalOnBooleanProperty(name = "lockkeeper.metrics", matchIfMissing = true)
public class LockkeeperMetricsAutoConfiguration {

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    LockkeeperMetrics lockkeeperMetrics(MeterRegistry registry) {
        return new LockkeeperMetrics(registry);
    }
}
