package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** {@code /actuator/locks}, where Actuator is and the endpoint is exposed. */
@AutoConfiguration(after = LockkeeperAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
@ConditionalOnBean(Lockkeeper.class)
public class LocksEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint locksEndpoint(Map<String, Lockkeeper> keepers, KeeperWatches watches) {
        return new LocksEndpoint(keepers, watches);
    }
}
