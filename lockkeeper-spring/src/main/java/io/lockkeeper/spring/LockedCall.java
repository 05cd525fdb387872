package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;

/** One call of a method that has locks. */
final class LockedCall {

    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private final MethodInvocation invocation;
    private final LockedMethod locked;
    private final Beans beans;
    private @Nullable EvaluationContext expressions;

    LockedCall(MethodInvocation invocation, LockedMethod locked, Beans beans) {
        this.invocation = invocation;
        this.locked = locked;
        this.beans = beans;
    }

    /**
     * What expressions see as {@code #root}.
     *
     * @param target the object
     * @param method the method
     * @param args its arguments
     */
    public record Root(Object target, Method method, List<@Nullable Object> args) {}

    LockedMethod locked() {
        return locked;
    }

    Method method() {
        return locked.method();
    }

    Object target() {
        return Objects.requireNonNull(invocation.getThis(), "target");
    }

    Object[] arguments() {
        return invocation.getArguments();
    }

    String place() {
        return locked.place();
    }

    EvaluationContext expressions() {
        EvaluationContext known = expressions;
        if (known == null) {
            Root root = new Root(target(), method(), Arrays.asList(arguments()));
            MethodBasedEvaluationContext made =
                    new MethodBasedEvaluationContext(root, method(), arguments(), PARAMETER_NAMES);
            made.setBeanResolver(beans.forExpressions());
            known = made;
            expressions = made;
        }
        return known;
    }

    /** Whether the rule applies to this call. */
    boolean isSubjectTo(LockRule rule) {
        if (rule.condition() == null) {
            return true;
        }
        Boolean applies = rule.condition().getValue(expressions(), Boolean.class);
        if (applies == null) {
            throw new IllegalArgumentException("The condition "
                    + rule.condition().getExpressionString() + " of " + place() + " is null; it must be true or false");
        }
        return applies;
    }

    /** Passes the hold on as a parameter of the method, if there is one for it. */
    void inject(Hold hold) {
        Object[] arguments = withHold(arguments(), hold);
        if (arguments != arguments() && invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setArguments(arguments);
        }
    }

    private Object[] withHold(Object[] arguments, Hold hold) {
        Object[] changed = arguments;
        for (int position : locked.holdParameters()) {
            if (method().getParameterTypes()[position].isInstance(hold)) {
                changed = changed == arguments ? arguments.clone() : changed;
                changed[position] = hold;
            }
        }
        return changed;
    }

    @Nullable
    Object proceed() throws Throwable {
        requireHolds(arguments());
        return invocation.proceed();
    }

    /** For a subscription, of which there may be several: each runs the rest of the call anew. */
    @Nullable
    Object proceedAnew(Iterable<? extends Hold> holds) throws Throwable {
        Object[] arguments = arguments();
        for (Hold hold : holds) {
            arguments = withHold(arguments, hold);
        }
        requireHolds(arguments);
        return invocation instanceof ProxyMethodInvocation proxied
                ? proxied.invocableClone(arguments).proceed()
                : invocation.proceed();
    }

    private void requireHolds(Object[] arguments) {
        for (int position : locked.holdParameters()) {
            if (arguments[position] == null && !locked.rules().isEmpty() && allRulesApply()) {
                throw new IllegalStateException("The parameter "
                        + method().getParameters()[position].getType().getSimpleName() + " of " + place()
                        + " does not fit what is held; several names are a MultiHold, a read lock is a SingleHold,"
                        + " @Limited a Permit");
            }
        }
    }

    private boolean allRulesApply() {
        return locked.rules().stream().allMatch(rule -> rule.condition() == null);
    }
}
