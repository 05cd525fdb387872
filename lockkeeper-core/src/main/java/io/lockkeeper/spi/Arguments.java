package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/** Looks at what callers pass. */
public final class Arguments {

    private Arguments() {}

    /**
     * Returns the argument.
     *
     * @param parameter how the method's documentation names it
     * @throws NullPointerException if it is null, with a message that names the parameter
     */
    public static <T> T given(@Nullable T argument, String parameter) {
        if (argument == null) {
            throw new NullPointerException(parameter + " must not be null");
        }
        return argument;
    }
}
