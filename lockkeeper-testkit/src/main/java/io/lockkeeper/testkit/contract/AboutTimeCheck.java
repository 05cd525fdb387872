package io.lockkeeper.testkit.contract;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds the case that the calling thread runs and requires its mark {@link AboutTime}. Threads that a case starts are not
 * checked: the case itself has asked for the lease before, in every contract there is.
 */
final class AboutTimeCheck {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private AboutTimeCheck() {}

    static void check() {
        STACK.walk(AboutTimeCheck::unmarked).ifPresent(name -> {
            throw new AssertionError(name + " uses a short lease, so it is about time: mark it with @AboutTime");
        });
    }

    private static Optional<String> unmarked(Stream<StackWalker.StackFrame> frames) {
        return frames.filter(frame -> TimedTest.class.isAssignableFrom(frame.getDeclaringClass()))
                .flatMap(AboutTimeCheck::testOf)
                .findFirst()
                .filter(test -> !test.isAnnotationPresent(AboutTime.class)
                        && !test.getDeclaringClass().isAnnotationPresent(AboutTime.class))
                .map(test -> test.getDeclaringClass().getSimpleName() + "." + test.getName());
    }

    private static Stream<Method> testOf(StackWalker.StackFrame frame) {
        return Arrays.stream(frame.getDeclaringClass().getDeclaredMethods())
                .filter(method -> method.getName().equals(frame.getMethodName())
                        && (method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestIfOffered.class)));
    }
}
