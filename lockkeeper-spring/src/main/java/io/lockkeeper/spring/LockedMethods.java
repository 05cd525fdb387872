package io.lockkeeper.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;

/**
 * Finds the annotations of methods, as Spring finds its own: on the method, on what it overrides or implements, then on the class that
 * declares it. The nearest that has any counts, with all its repetitions. Each method is read once.
 */
final class LockedMethods {

    private final RuleReader reader;
    private final Map<MethodClassKey, Optional<LockedMethod>> known = new ConcurrentHashMap<>();

    LockedMethods(RuleReader reader) {
        this.reader = reader;
    }

    /** @return null if the method has no locks */
    @Nullable
    LockedMethod find(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LockedMethod> found = known.get(key);
        if (found == null) {
            found = Optional.ofNullable(read(method, targetClass));
            known.put(key, found);
        }
        return found.orElse(null);
    }

    private @Nullable LockedMethod read(Method method, Class<?> targetClass) {
        Method own = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
        List<LockRule> rules = new ArrayList<>();
        for (Class<? extends Annotation> type : List.of(Limited.class, Locked.class)) {
            for (MergedAnnotation<?> annotation : annotations(own, type)) {
                rules.add(reader.read(annotation, own, ClassUtils.getUserClass(targetClass)));
            }
        }
        return rules.isEmpty() ? null : reader.method(own, rules);
    }

    private static List<MergedAnnotation<?>> annotations(Method method, Class<? extends Annotation> type) {
        List<MergedAnnotation<?>> onMethod = nearest(method, type);
        boolean intercepted = !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method);
        return onMethod.isEmpty() && intercepted ? nearest(method.getDeclaringClass(), type) : onMethod;
    }

    private static List<MergedAnnotation<?>> nearest(AnnotatedElement element, Class<? extends Annotation> type) {
        List<MergedAnnotation<?>> nearest = new ArrayList<>();
        MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
                .stream(type)
                .forEach(found -> {
                    if (nearest.isEmpty() || nearest.get(0).getAggregateIndex() == found.getAggregateIndex()) {
                        nearest.add(found);
                    }
                });
        return nearest;
    }

    /** Whether the method or its class has an annotation; nothing is read yet. */
    static boolean isMeant(Method method) {
        return !annotations(method, Locked.class).isEmpty()
                || !annotations(method, Limited.class).isEmpty();
    }

    /** Whether the method itself has the annotation, so that it was meant to be locked. */
    static boolean isAnnotated(Method method) {
        return !nearest(method, Locked.class).isEmpty()
                || !nearest(method, Limited.class).isEmpty();
    }
}
