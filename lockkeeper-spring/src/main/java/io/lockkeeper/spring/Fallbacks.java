package io.lockkeeper.spring;

import io.lockkeeper.LockTimeoutException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Methods that are called in place of one whose lock is busy. */
final class Fallbacks {

    private Fallbacks() {}

    /** Looks for the method with the parameters of the locked one and the exception, with its parameters, or with none. */
    static Method find(String name, Method method, Class<?> type) {
        Class<?>[] same = method.getParameterTypes();
        Class<?>[] withBusy = Arrays.copyOf(same, same.length + 1);
        withBusy[same.length] = LockTimeoutException.class;
        for (Class<?>[] parameters : List.of(withBusy, same, new Class<?>[0])) {
            Method found = ReflectionUtils.findMethod(type, name, parameters);
            if (found != null && !found.equals(method)) {
                return checked(found, method);
            }
        }
        throw new IllegalStateException(
                "The fallback \"" + name + "\" of " + LockedMethod.place(method)
                        + " is no method of the class with the same parameters, with these and a LockTimeoutException, or with none");
    }

    private static Method checked(Method fallback, Method method) {
        if (!ClassUtils.isAssignable(method.getReturnType(), fallback.getReturnType())) {
            throw new IllegalStateException(
                    "The fallback \"" + fallback.getName() + "\" of " + LockedMethod.place(method)
                            + " returns " + fallback.getReturnType().getSimpleName() + "; it must return "
                            + method.getReturnType().getSimpleName());
        }
        ReflectionUtils.makeAccessible(fallback);
        return fallback;
    }

    /** @param busy asked for only if the method wants it, since it costs a request */
    static @Nullable Object call(Method fallback, LockedCall call, Supplier<LockTimeoutException> busy)
            throws Throwable {
        Object[] arguments = call.arguments();
        if (fallback.getParameterCount() > arguments.length) {
            arguments = Arrays.copyOf(arguments, arguments.length + 1, Object[].class);
            arguments[arguments.length - 1] = busy.get();
        } else if (fallback.getParameterCount() == 0) {
            arguments = new Object[0];
        }
        try {
            return fallback.invoke(call.target(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
