package io.lockkeeper.build;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Keeps what tests print and log away from the console, and shows it for those that fail.
 *
 * <p>Many cases make the library warn on purpose, and listeners throw on purpose. In the output of a build that passes, such
 * warnings look like trouble and hide real trouble. So all that goes to {@code System.out}, {@code System.err} and the
 * console handler of {@code java.util.logging} is recorded. A case that fails is followed by what was recorded while it
 * ran; where cases run side by side, that includes what the others said.
 *
 * <p>The build registers it for all modules: it is compiled into the tests of each and found by JUnit's automatic detection
 * of extensions, which surefire switches on. What other processes write to the console themselves is not recorded; {@code
 * ChildJvm} writes what its child says to {@code System.err} here.
 */
public final class CalmOutput
        implements BeforeAllCallback,
                BeforeEachCallback,
                TestWatcher,
                InvocationInterceptor,
                LifecycleMethodExecutionExceptionHandler {

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(CalmOutput.class);
    private static final PrintStream CONSOLE = System.err;
    private static final Recording RECORDING = new Recording();

    static {
        PrintStream recorded = new PrintStream(RECORDING, true);
        System.setOut(recorded);
        System.setErr(recorded);
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            if (handler instanceof ConsoleHandler) {
                root.removeHandler(handler);
                // A new one writes to the System.err of now.
                root.addHandler(new ConsoleHandler());
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        mark(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        mark(context);
    }

    private static void mark(ExtensionContext context) {
        context.getStore(SPACE).put(context.getUniqueId(), RECORDING.position());
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        show(context);
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        show(context);
    }

    /** Dynamic tests have no callbacks, and no watcher is told of them. */
    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context) throws Throwable {
        long from = RECORDING.position();
        try {
            invocation.proceed();
        } catch (Throwable e) {
            show(context, from);
            throw e;
        }
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
        show(context);
        throw cause;
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
        show(context);
        throw cause;
    }

    private static void show(ExtensionContext context) {
        Long from = context.getStore(SPACE).get(context.getUniqueId(), Long.class);
        show(context, from == null ? 0 : from);
    }

    private static void show(ExtensionContext context, long from) {
        List<String> lines = RECORDING.since(from);
        String name = classOf(context) + ": " + context.getDisplayName();
        if (lines.isEmpty()) {
            CONSOLE.println("---- nothing was printed or logged during " + name);
            return;
        }
        CONSOLE.println("---- printed and logged during " + name);
        lines.forEach(CONSOLE::println);
        CONSOLE.println("---- end of " + name);
    }

    /** A dynamic test has no class of its own, only one above it. */
    private static String classOf(ExtensionContext context) {
        return context.getTestClass()
                .map(Class::getSimpleName)
                .or(() -> context.getParent().map(CalmOutput::classOf))
                .orElse("");
    }
}
