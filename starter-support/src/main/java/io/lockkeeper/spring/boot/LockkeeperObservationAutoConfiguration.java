package io.lockkeeper.spring.boot;

import io.lockkeeper.micrometer.LockkeeperObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Observations of the keepers, for traces, if {@code lockkeeper.observations=true}. */
@AutoConfiguration(
        before = LockkeeperAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
        })
@ConditionalOnClass({LockkeeperObservations.class, ObservationRegistry.class})
@ConditionalOnBooleanProperty("lockkeeper.observations")
public class LockkeeperObservationAutoConfiguration {

    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    LockkeeperObservations lockkeeperObservations(ObservationRegistry registry) {
        return new LockkeeperObservations(registry);
    }
}
