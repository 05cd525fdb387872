package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.List;

/** A bean that makes the names of locks, for {@link Locked#resolver} and {@link Limited#resolver}. */
@FunctionalInterface
public interface LockNameResolver {

    /**
     * The names to lock, called once before the method runs.
     *
     * @param target the object whose method is called
     * @param method the method that has the annotation
     * @param arguments its arguments
     * @return at least one; several are locked together
     */
    List<String> names(Object target, Method method, Object[] arguments);
}
