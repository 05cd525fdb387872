package io.lockkeeper.spring.test;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.EnableLockkeeper;
import io.lockkeeper.testkit.TestLocks;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The beans of a {@link LockkeeperTest}. */
@Configuration(proxyBeanMethods = false)
@EnableLockkeeper
class TestLocksConfiguration {

    @Bean
    TestLocks testLocks() {
        return new TestLocks();
    }

    @Bean(destroyMethod = "")
    @Primary
    Lockkeeper lockkeeper(TestLocks locks) {
        return locks.keeper();
    }
}
