package io.lockkeeper.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * The beans of fenced commits; registered if the application has JDBC, and Lockkeeper's guards. It must not be a member of another
 * configuration: Spring registers members by itself, also where those classes are missing.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class FenceConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    Fences lockkeeperFences(ListableBeanFactory factory, ObjectProvider<LockkeeperSettings> settings) {
        return new Fences(factory, settings.getIfAvailable(LockkeeperSettings::defaults));
    }
}
