package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers a bean for each of {@code lockkeeper.keepers}. */
final class KeeperRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    KeeperRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        for (String name : names(environment)) {
            if (registry.containsBeanDefinition(name)) {
                throw new KeeperStartException(
                        "The keeper '" + name + "' of lockkeeper.keepers has the name of another bean",
                        "Give the keeper another name.");
            }
            RootBeanDefinition definition = new RootBeanDefinition();
            definition.setTargetType(Lockkeeper.class);
            definition.setFactoryBeanName(LockkeeperAutoConfiguration.FACTORY);
            definition.setFactoryMethodName("open");
            definition.getConstructorArgumentValues().addGenericArgumentValue(name);
            definition.setDestroyMethodName("close");
            registry.registerBeanDefinition(name, definition);
        }
    }

    /** The names of the further keepers. */
    static Set<String> names(Environment environment) {
        return new TreeSet<>(Binder.get(environment)
                .bind("lockkeeper.keepers", Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of)
                .keySet());
    }
}
