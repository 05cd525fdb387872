package io.lockkeeper.testkit;

import io.lockkeeper.Lockkeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test {@link TestLocks} of its own, as a parameter of the test or of its {@code @BeforeEach}, and closes them afterwards. A
 * parameter of type {@link Lockkeeper} is their keeper.
 */
public final class LockkeeperExtension implements ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(LockkeeperExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent() && (type == TestLocks.class || type == Lockkeeper.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestLocks locks = of(context);
        if (locks == null) {
            locks = new TestLocks();
            context.getStore(NAMESPACE).put(TestLocks.class, locks);
        }
        return parameter.getParameter().getType() == Lockkeeper.class ? locks.keeper() : locks;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestLocks locks = context.getStore(NAMESPACE).remove(TestLocks.class, TestLocks.class);
        if (locks != null) {
            locks.close();
        }
    }

    private static @Nullable TestLocks of(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(TestLocks.class, TestLocks.class);
    }
}
