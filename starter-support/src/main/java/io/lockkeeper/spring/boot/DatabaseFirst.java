package io.lockkeeper.spring.boot;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Lets migrations and scripts make Lockkeeper's tables before a keeper looks for them. Spring Boot loads it by {@code spring.factories}. A
 * keeper with a URL does not wait, so a migration may use its locks.
 */
final class DatabaseFirst extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(DataSourceStore.class);
    }
}
