package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Puts the {@link LockInterceptor} around methods that have locks. */
final class LockAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1;

    private final transient LockInterceptor advice;
    private final transient Pointcut pointcut;

    LockAdvisor(LockedMethods methods, LockInterceptor advice, int order) {
        this.advice = advice;
        this.pointcut = new LockedPointcut(methods);
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    private static final class LockedPointcut extends StaticMethodMatcherPointcut {

        private final LockedMethods methods;

        LockedPointcut(LockedMethods methods) {
            this.methods = methods;
            setClassFilter(new Candidates());
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return methods.find(method, targetClass) != null;
        }
    }

    /** Classes of the JDK cannot have our annotations. */
    private record Candidates() implements ClassFilter {

        @Override
        public boolean matches(Class<?> type) {
            return AnnotationUtils.isCandidateClass(type, List.of(Locked.class, Limited.class));
        }
    }
}
