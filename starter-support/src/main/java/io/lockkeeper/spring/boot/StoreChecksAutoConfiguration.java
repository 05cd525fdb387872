package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/** What the health indicator of each line of Spring Boot asks. */
@AutoConfiguration(after = LockkeeperAutoConfiguration.class)
@ConditionalOnBean({Lockkeeper.class, KeeperWatches.class})
public class StoreChecksAutoConfiguration {

    @Bean
    StoreChecks lockkeeperStoreChecks(Map<String, Lockkeeper> keepers, KeeperWatches watches) {
        return new StoreChecks(keepers, watches);
    }
}
