package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Looks at the application's beans when it starts, for locks that would not be taken: on methods that a proxy cannot intercept, on beans
 * without a proxy, and on calls of an object to itself. The first two are refused, since the method would run without its lock. The
 * last is a warning, since not every such call is made through {@code this}.
 */
final class LockedBeans implements BeanPostProcessor, SmartInitializingSingleton, Ordered {

    private static final Log LOG = LogFactory.getLog(LockedBeans.class);
    private static final String LOCKED = "@Locked";
    private static final String LEADER_ONLY = "@LeaderOnly";

    private final ConfigurableListableBeanFactory factory;
    private final ObjectProvider<LockedMethods> methods;
    private final Supplier<LockkeeperSettings> settings;
    private final Map<String, Class<?>> found = new ConcurrentHashMap<>();
    private final Map<String, Class<?>> foundLeaders = new ConcurrentHashMap<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private volatile boolean fenced;

    LockedBeans(
            ConfigurableListableBeanFactory factory,
            ObjectProvider<LockedMethods> methods,
            Supplier<LockkeeperSettings> settings) {
        this.factory = factory;
        this.methods = methods;
        this.settings = settings;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Before there is a proxy: this is the class itself. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        seen.add(name);
        check(name, AopUtils.getTargetClass(bean));
        return bean;
    }

    private void check(String name, Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, List.of(Locked.class, Limited.class, LeaderOnly.class))) {
            return;
        }
        boolean any = false;
        boolean leads = false;
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (method.getDeclaringClass() == Object.class) {
                continue;
            }
            String unreachable = unreachable(method);
            boolean isLeaderOnly = LeaderAdvisor.isAnnotated(method);
            if (unreachable != null && (isLeaderOnly || LockedMethods.isAnnotated(method))) {
                throw new IllegalStateException(
                        (isLeaderOnly ? LEADER_ONLY : LOCKED) + " on the " + unreachable + " method "
                                + LockedMethod.place(method)
                                + " has no effect, since a proxy cannot intercept it; make it an ordinary method that other beans call");
            }
            LockedMethod locked = unreachable == null && LockedMethods.isMeant(method)
                    ? methods.getObject().find(method, type)
                    : null;
            leads |= unreachable == null && LeaderAdvisor.isMeant(method, type);
            if (locked != null) {
                any = true;
                fenced |= locked.rules().stream().anyMatch(rule -> rule.fence() != null);
            }
        }
        if (leads) {
            foundLeaders.put(name, type);
        }
        if (any) {
            found.put(name, type);
            SelfCalls.of(type, method -> methods.getObject().find(method, type) != null)
                    .forEach(LOG::warn);
        }
    }

    private static @Nullable String unreachable(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPrivate(modifiers) ? "private" : Modifier.isStatic(modifiers) ? "static" : null;
    }

    /** All proxies are there now, also those that were made early for circular references. */
    @Override
    public void afterSingletonsInstantiated() {
        checkEarly();
        found.forEach((name, type) -> checkProxy(
                name,
                type,
                LOCKED,
                LockAdvisor.class,
                method -> methods.getObject().find(method, type) != null));
        foundLeaders.forEach((name, type) -> checkProxy(
                name, type, LEADER_ONLY, LeaderAdvisor.class, method -> LeaderAdvisor.isMeant(method, type)));
        found.clear();
        foundLeaders.clear();
        seen.clear();
        if (fenced && settings.get().isFenceTableCreated()) {
            factory.getBean(Fences.class).createTables();
        }
    }

    /** Beans that were made before this one could look at them. */
    private void checkEarly() {
        for (String name : factory.getBeanDefinitionNames()) {
            Object bean = seen.contains(name) ? null : factory.getSingleton(name);
            if (bean != null) {
                check(name, AopUtils.getTargetClass(bean));
            }
        }
    }

    private void checkProxy(
            String name, Class<?> type, String annotation, Class<?> advisor, Predicate<Method> isMeant) {
        if (!factory.containsSingleton(name)) {
            return;
        }
        Object bean = factory.getBean(name);
        if (!isAdvised(bean, advisor)) {
            throw new IllegalStateException("The bean '" + name + "' of " + type.getSimpleName() + " has " + annotation
                    + " methods but no proxy for them, so they would run as if they were not annotated; it was probably created too"
                    + " early, for a BeanPostProcessor: declare that one as a static @Bean method");
        }
        if (AopUtils.isCglibProxy(bean)) {
            for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
                if (Modifier.isFinal(method.getModifiers())
                        && method.getDeclaringClass() != Object.class
                        && isMeant.test(method)) {
                    throw new IllegalStateException(
                            annotation + " on the final method " + LockedMethod.place(method)
                                    + " has no effect, since a proxy cannot intercept it; remove final, or call it by an interface");
                }
            }
        }
    }

    /** A proxy for something else, such as {@code @Async}, does not help. One that does not show its advisors is believed. */
    private static boolean isAdvised(@Nullable Object bean, Class<?> advisor) {
        if (!(bean instanceof Advised advised)) {
            return AopUtils.isAopProxy(bean);
        }
        return Arrays.stream(advised.getAdvisors()).anyMatch(advisor::isInstance)
                || isAdvised(AopProxyUtils.getSingletonTarget(bean), advisor);
    }
}
