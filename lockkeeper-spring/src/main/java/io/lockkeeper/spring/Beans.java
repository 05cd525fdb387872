package io.lockkeeper.spring;

import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;

/** The application's beans that annotations name, looked up at the first call that needs them. */
final class Beans {

    private final ConfigurableListableBeanFactory factory;
    private final Map<String, Lockkeeper> keepers = new ConcurrentHashMap<>();
    private final BeanResolver resolver;

    Beans(ConfigurableListableBeanFactory factory) {
        this.factory = factory;
        this.resolver = new BeanFactoryResolver(factory);
    }

    Lockkeeper keeper(String name) {
        Lockkeeper known = keepers.get(name);
        if (known == null) {
            known = find(name, Lockkeeper.class);
            keepers.put(name, known);
        }
        return known;
    }

    LeaderElection election(String name) {
        return find(name, LeaderElection.class);
    }

    LockNameResolver resolver(String name) {
        return factory.getBean(name, LockNameResolver.class);
    }

    private <T> T find(String name, Class<T> type) {
        return name.isEmpty()
                ? factory.getBean(type)
                : BeanFactoryAnnotationUtils.qualifiedBeanOfType((BeanFactory) factory, type, name);
    }

    BeanResolver forExpressions() {
        return resolver;
    }

    ClassLoader classLoader() {
        ClassLoader loader = factory.getBeanClassLoader();
        return loader == null ? Beans.class.getClassLoader() : loader;
    }

    /** Replaces the placeholders of a text. */
    String resolve(String text) {
        String resolved = text.isEmpty() ? text : factory.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
