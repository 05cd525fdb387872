package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/** Checks of the arguments that callers pass. */
public final class Arguments {

    private Arguments() {}

    /**
     * Returns the argument.
     *
     * @param parameter the name of the parameter in the method's documentation
     * @throws NullPointerException if it is null, with a message that names the parameter
     */
    public static <T> T given(@Nullable T argument, String parameter) {
        if (argument == null) {
            throw new NullPointerException(parameter + " must not be null");
        }
        return argument;
    }
}
