package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.List;

/**
 * A method and what its annotations say.
 *
 * @param method the method of the class itself, not of its interface
 * @param rules the outermost first
 * @param style when the method is over
 * @param holdParameters the positions of parameters that are the current hold
 */
record LockedMethod(Method method, List<LockRule> rules, Style style, List<Integer> holdParameters) {

    /** When a call is over, so that its locks are released. */
    enum Style {
        /** When it returns. */
        PLAIN,
        /** When the stage that it returns is complete. */
        STAGE,
        /** When the subscription of what it returns has ended. */
        MONO,
        /** The same for many elements. */
        FLUX
    }

    /** The method as people name it. */
    String place() {
        return place(method);
    }

    static String place(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
