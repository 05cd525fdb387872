package io.lockkeeper.spring.boot3;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.boot.LockkeeperAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** A lock registry for Spring Integration, unless the application has one. */
@AutoConfiguration(after = LockkeeperAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(Lockkeeper.class)
public class LockRegistryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    LockkeeperLockRegistry lockkeeperLockRegistry(Lockkeeper keeper) {
        return new LockkeeperLockRegistry(keeper);
    }
}
