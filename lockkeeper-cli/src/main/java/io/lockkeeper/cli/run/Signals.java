package io.lockkeeper.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals that ask {@code lockkeeper} to end: INT, TERM and HUP. The part that is in charge at that time receives them: first
 * the wait for the lock, later the command. One that was ignored when {@code lockkeeper} was started, as HUP is under
 * nohup(1), stays ignored. The stop of a terminal (Ctrl-Z) has no effect: a lockkeeper that stands still renews nothing,
 * while its command, in a session of its own, would run on.
 *
 * <p>Only {@code sun.misc.Signal} can catch a signal and go on. It is called by reflection because javac warns of its mere
 * mention, and warnings fail the build.
 */
public final class Signals implements AutoCloseable {

    /** A signal by its name without SIG, and its number. */
    public record Caught(String name, int number) {}

    private final List<Callable<?>> restore = new ArrayList<>();
    private volatile Consumer<Caught> receiver;

    private Signals(Consumer<Caught> first) {
        receiver = first;
    }

    /** Catches nothing: whatever is sent to this process has its usual effect. */
    static Signals none() {
        return new Signals(caught -> {});
    }

    public static Signals sendTo(Consumer<Caught> receiver) {
        Signals signals = new Signals(receiver);
        try {
            signals.install();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "This JVM has no sun.misc.Signal; use one with the module jdk.unsupported", e);
        }
        return signals;
    }

    /** From now on another receives them. */
    public void passTo(Consumer<Caught> next) {
        receiver = next;
    }

    /** From now on they have their former effect. */
    @Override
    public void close() {
        for (Callable<?> each : restore) {
            try {
                each.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void install() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object ignoring = handler.getField("SIG_IGN").get(null);
        Method handle = signal.getMethod("handle", signal, handler);
        Method number = signal.getMethod("getNumber");
        Method name = signal.getMethod("getName");
        InvocationHandler onCall = new InvocationHandler() {
            @Override
            public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
                    throws ReflectiveOperationException {
                if (arguments != null && signal.isInstance(arguments[0])) {
                    Object caught = arguments[0];
                    if (!name.invoke(caught).equals("TSTP")) {
                        receiver.accept(new Caught((String) name.invoke(caught), (int) number.invoke(caught)));
                    }
                    return null;
                }
                return method.getName().equals("hashCode") ? System.identityHashCode(proxy) : (Object) false;
            }
        };
        Object ours = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, onCall);
        for (String each : new String[] {"INT", "TERM", "HUP", "TSTP"}) {
            Object one = signal.getConstructor(String.class).newInstance(each);
            Object before = handle.invoke(null, one, ours);
            if (before == ignoring) {
                handle.invoke(null, one, ignoring);
            } else {
                restore.add(() -> handle.invoke(null, one, before));
            }
        }
    }
}
