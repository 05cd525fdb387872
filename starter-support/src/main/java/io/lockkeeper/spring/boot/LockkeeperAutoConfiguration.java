package io.lockkeeper.spring.boot;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcBackend;
import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.spring.EnableLockkeeper;
import io.lockkeeper.spring.LockkeeperSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Opens the keepers that {@code lockkeeper.*} configures. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "io.lockkeeper.spring.boot3.RedisServersAutoConfiguration",
            "io.lockkeeper.spring.boot4.RedisServersAutoConfiguration",
        })
@EnableConfigurationProperties(LockkeeperProperties.class)
@Import(KeeperRegistrar.class)
public class LockkeeperAutoConfiguration {

    static final String FACTORY = "lockkeeperFactory";

    @Bean(FACTORY)
    KeeperFactory lockkeeperFactory(
            LockkeeperProperties properties,
            ObjectProvider<ApplicationStore> stores,
            ObjectProvider<KeeperListener> listeners,
            ObjectProvider<KeeperWatches> watches,
            ObjectProvider<LockkeeperBuilderCustomizer> customizers,
            Environment environment) {
        return new KeeperFactory(properties, stores, listeners, watches, customizers, environment);
    }

    @Bean(name = KeeperFactory.MAIN, destroyMethod = "close")
    @Primary
    @ConditionalOnMissingBean(Lockkeeper.class)
    @Conditional(MainKeeperCondition.class)
    Lockkeeper lockkeeper(KeeperFactory factory) {
        return factory.open(KeeperFactory.MAIN);
    }

    @Bean
    @ConditionalOnMissingBean
    LockkeeperSettings lockkeeperSettings(LockkeeperProperties properties) {
        return properties.annotations();
    }

    @Bean
    KeeperShutdown lockkeeperShutdown(
            ApplicationContext context, ConfigurableListableBeanFactory beans, LockkeeperProperties properties) {
        return new KeeperShutdown(context, beans, properties.shutdownWait());
    }

    /** What Actuator shows. Watching costs each acquisition a look at the stack, so there is none without Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint.class)
    static class Watched {

        @Bean
        KeeperWatches lockkeeperWatches() {
            return new KeeperWatches();
        }
    }

    /** {@code lockkeeper.annotations=false} switches the annotations off. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "lockkeeper.annotations", matchIfMissing = true)
    @EnableLockkeeper
    static class Annotations {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcBackend.class)
    static class InDataSource {

        @Bean
        @Order(0)
        @ConditionalOnBean(DataSource.class)
        DataSourceStore lockkeeperDataSourceStore(ListableBeanFactory beans) {
            return new DataSourceStore(beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RedisBackend.class)
    static class InRedis {

        @Bean
        @Lazy
        @Order(1)
        @ConditionalOnBean(RedisServers.class)
        RedisServersStore lockkeeperRedisStore(RedisServers servers) {
            return new RedisServersStore(servers);
        }
    }
}
