package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LockLostException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Runs {@link LeaderOnly} methods while this process leads, outside of the locks that they may have. */
final class LeaderAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1;

    private final transient Beans beans;
    private final transient Pointcut pointcut = new StaticMethodMatcherPointcut() {
        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return find(method, targetClass) != null;
        }
    };
    private final transient MethodInterceptor advice = this::invoke;

    LeaderAdvisor(Beans beans, int order) {
        this.beans = beans;
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

    private static @Nullable LeaderOnly find(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        Method own = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass));
        LeaderOnly onMethod = AnnotatedElementUtils.findMergedAnnotation(own, LeaderOnly.class);
        return onMethod == null
                ? AnnotatedElementUtils.findMergedAnnotation(own.getDeclaringClass(), LeaderOnly.class)
                : onMethod;
    }

    /** Whether the method itself has the annotation. */
    static boolean isAnnotated(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class) != null;
    }

    /**
     * Whether the method runs on the leader only, by its own annotation or that of its class.
     *
     * @throws IllegalStateException if it cannot do what the annotation says
     */
    static boolean isMeant(Method method, Class<?> type) {
        LeaderOnly rule = ClassUtils.isUserLevelMethod(method) ? find(method, type) : null;
        if (rule == null) {
            return false;
        }
        if (rule.otherwise() == WhenBusy.FALLBACK) {
            throw new IllegalStateException("@LeaderOnly of " + LockedMethod.place(method)
                    + " has otherwise = FALLBACK, which it does not have; use SKIP or THROW");
        }
        if (rule.otherwise() == WhenBusy.SKIP
                && method.getReturnType().isPrimitive()
                && method.getReturnType() != void.class) {
            throw new IllegalStateException(LockedMethod.place(method) + " returns " + method.getReturnType()
                    + ", which has no value for a skipped call; return Optional, or use THROW");
        }
        return true;
    }

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Class<?> type = Objects.requireNonNull(call.getThis(), "target").getClass();
        LeaderOnly rule = Objects.requireNonNull(find(call.getMethod(), type));
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), ClassUtils.getUserClass(type));
        return switch (MethodTraits.style(method)) {
            case MONO ->
                ReactorCalls.deferredMono(() -> lead(rule, method).isPresent() ? anew(call) : ReactorCalls.NOTHING);
            case FLUX ->
                ReactorCalls.deferredFlux(() -> lead(rule, method).isPresent() ? anew(call) : ReactorCalls.NOTHING);
            case PLAIN, STAGE -> {
                Optional<HeldLock> held = lead(rule, method);
                yield held.isEmpty() ? StageCalls.skipped(method) : under(held.get(), call);
            }
        };
    }

    private static @Nullable Object anew(MethodInvocation call) throws Exception {
        try {
            return call instanceof ProxyMethodInvocation proxied
                    ? proxied.invocableClone().proceed()
                    : call.proceed();
        } catch (Exception | Error thrown) {
            throw thrown;
        } catch (Throwable other) {
            throw new UndeclaredThrowableException(other);
        }
    }

    private Optional<HeldLock> lead(LeaderOnly rule, Method method) {
        LeaderElection election = beans.election(beans.resolve(rule.value()));
        Optional<ExclusiveHold> leadership = election.leadership().filter(ExclusiveHold::isHeld);
        if (leadership.isEmpty() && rule.otherwise() != WhenBusy.SKIP) {
            throw new NotLeaderException(LockedMethod.place(method) + " runs on the leader of " + election.name()
                    + " only, and this process does not lead");
        }
        return leadership.map(
                hold -> HeldLock.ofLeadership(List.of(election.name()), LockedMethod.place(method), hold));
    }

    private static @Nullable Object under(HeldLock held, MethodInvocation call) throws Throwable {
        Object result;
        Holds.enter(held);
        try {
            result = call.proceed();
        } finally {
            Holds.exit(held);
        }
        held.lossSoFar();
        LockLostException lost = held.lossToThrow();
        if (lost != null) {
            throw lost;
        }
        return result;
    }
}
