package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.MultiHold;
import io.lockkeeper.Permit;
import io.lockkeeper.SingleHold;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.scheduling.annotation.Async;

/** What a method is apart from its locks: what it returns, and which other annotations it has. */
final class MethodTraits {

    private static final Set<Class<?>> HOLDS =
            Set.of(Hold.class, SingleHold.class, ExclusiveHold.class, MultiHold.class, Permit.class);
    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";

    private MethodTraits() {}

    static LockedMethod.Style style(Method method) {
        String type = method.getReturnType().getName();
        if (type.equals("reactor.core.publisher.Mono") || KotlinDetector.isSuspendingFunction(method)) {
            return LockedMethod.Style.MONO;
        }
        if (type.equals("reactor.core.publisher.Flux")) {
            return LockedMethod.Style.FLUX;
        }
        return CompletionStage.class.isAssignableFrom(method.getReturnType())
                        || Future.class.isAssignableFrom(method.getReturnType())
                ? LockedMethod.Style.STAGE
                : LockedMethod.Style.PLAIN;
    }

    static boolean isReactive(Method method) {
        LockedMethod.Style style = style(method);
        return style == LockedMethod.Style.MONO || style == LockedMethod.Style.FLUX;
    }

    /** Refuses what a lock cannot be right with. */
    static void check(LockedMethod locked) {
        Method method = locked.method();
        if (method.getReturnType() == void.class && isAsync(method)) {
            throw new IllegalStateException(
                    "@Async void " + locked.place() + " has a lock, but its caller is gone when the"
                            + " lock is busy or lost, so nobody would notice; return a CompletableFuture");
        }
        if (isReactive(method) && !Presence.REACTOR) {
            throw new IllegalStateException(locked.place() + " is a suspending function, for which Reactor is needed;"
                    + " add reactor-core and kotlinx-coroutines-reactor to the application");
        }
        boolean skips = locked.rules().stream().anyMatch(rule -> rule.whenBusy() == WhenBusy.SKIP);
        if (skips && method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
            throw new IllegalStateException(locked.place() + " returns " + method.getReturnType()
                    + ", which has no value for a skipped call; return Optional, or use FALLBACK");
        }
        if (hasUnknownEnd(method)) {
            throw new IllegalStateException(locked.place() + " returns "
                    + method.getReturnType().getName()
                    + ", whose end is not known; return Mono, Flux or CompletionStage");
        }
        for (int position : locked.holdParameters()) {
            if (!HOLDS.contains(method.getParameterTypes()[position])) {
                throw new IllegalStateException("The parameter "
                        + method.getParameterTypes()[position].getSimpleName() + " of " + locked.place()
                        + " is no hold that a lock has; use ExclusiveHold, SingleHold, MultiHold, Permit or Hold");
            }
        }
    }

    /** Whether the call goes on after the method has returned, until an end that is not noticed. */
    private static boolean hasUnknownEnd(Method method) {
        Class<?> type = method.getReturnType();
        if (isReactive(method) || CompletionStage.class.isAssignableFrom(type)) {
            return false;
        }
        // With @Async the method itself returns a future that is complete.
        return (Future.class.isAssignableFrom(type) && !isAsync(method))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
                || isPublisher(type);
    }

    /** Also where the registry does not know it, since Reactor is missing. */
    private static boolean isPublisher(@Nullable Class<?> type) {
        return type != null
                && (type.getName().equals("org.reactivestreams.Publisher")
                        || type.getName().equals("java.util.concurrent.Flow$Publisher")
                        || isPublisher(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(MethodTraits::isPublisher));
    }

    private static boolean isAsync(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
    }

    /** Whether it runs in a transaction of its own, or in none, also if one is open already. */
    static boolean hasOwnTransaction(Method method) {
        AnnotationAttributes found =
                AnnotatedElementUtils.findMergedAnnotationAttributes(method, TRANSACTIONAL, false, false);
        if (found == null) {
            found = AnnotatedElementUtils.findMergedAnnotationAttributes(
                    method.getDeclaringClass(), TRANSACTIONAL, false, false);
        }
        return Optional.ofNullable(found)
                .map(Map.class::cast)
                .map(attributes -> String.valueOf(attributes.get("propagation")))
                .filter(propagation -> propagation.equals("REQUIRES_NEW") || propagation.equals("NOT_SUPPORTED"))
                .isPresent();
    }
}
