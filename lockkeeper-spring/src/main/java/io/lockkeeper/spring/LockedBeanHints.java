package io.lockkeeper.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a native image what is reached by reflection only: the methods with locks, their fallbacks, and the properties of parameters,
 * which expressions read.
 */
final class LockedBeanHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanClass();
        List<Method> locked = new ArrayList<>();
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (method.getDeclaringClass() != Object.class && LockedMethods.isMeant(method)) {
                locked.add(method);
            }
        }
        return locked.isEmpty() ? null : new Contribution(type, locked);
    }

    private record Contribution(Class<?> type, List<Method> locked) implements BeanRegistrationAotContribution {

        @Override
        public void applyTo(GenerationContext context, BeanRegistrationCode code) {
            ReflectionHints hints = context.getRuntimeHints().reflection();
            hints.registerType(LockedCall.Root.class, MemberCategory.INVOKE_PUBLIC_METHODS);
            for (Method method : locked) {
                hints.registerMethod(method, ExecutableMode.INVOKE);
                for (Parameter parameter : method.getParameters()) {
                    hints.registerType(parameter.getType(), MemberCategory.INVOKE_PUBLIC_METHODS);
                }
                fallbacks(method).forEach(fallback -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
            }
        }

        /** The name may have placeholders, whose values are not known yet; then it is the application's to register. */
        private List<Method> fallbacks(Method method) {
            List<String> names = new ArrayList<>();
            for (Class<? extends Annotation> annotation : List.of(Locked.class, Limited.class)) {
                MergedAnnotations.from(
                                method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
                        .stream(annotation)
                        .map(found -> found.getString("fallback"))
                        .forEach(names::add);
            }
            List<Method> found = new ArrayList<>();
            for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(type)) {
                if (names.contains(candidate.getName())) {
                    found.add(candidate);
                }
            }
            return found;
        }
    }
}
