package io.lockkeeper.spring;

import java.util.Map;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/** Registers what {@link EnableLockkeeper} switches on, once, however often it is imported. */
final class LockkeeperRegistrar implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        Map<String, Object> enabled = importing.getAnnotationAttributes(EnableLockkeeper.class.getName());
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (enabled != null && Boolean.TRUE.equals(enabled.get("proxyTargetClass"))) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
        String name = LockkeeperConfiguration.class.getName();
        if (!registry.containsBeanDefinition(name)) {
            RootBeanDefinition configuration = new RootBeanDefinition(LockkeeperConfiguration.class);
            configuration.setRole(RootBeanDefinition.ROLE_INFRASTRUCTURE);
            if (enabled != null) {
                configuration.getPropertyValues().add("order", enabled.get("order"));
            }
            registry.registerBeanDefinition(name, configuration);
        }
    }
}
