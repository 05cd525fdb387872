package io.lockkeeper.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
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
        register(registry, LockkeeperConfiguration.class, enabled == null ? null : enabled.get("order"));
        if (Presence.TRANSACTIONS) {
            register(registry, TransactionConfiguration.class, null);
        }
        if (Presence.FENCES) {
            register(registry, FenceConfiguration.class, null);
        }
    }

    private static void register(BeanDefinitionRegistry registry, Class<?> type, @Nullable Object order) {
        if (!registry.containsBeanDefinition(type.getName())) {
            RootBeanDefinition configuration = new RootBeanDefinition(type);
            configuration.setRole(RootBeanDefinition.ROLE_INFRASTRUCTURE);
            if (order != null) {
                configuration.getPropertyValues().add("order", order);
            }
            registry.registerBeanDefinition(type.getName(), configuration);
        }
    }
}
