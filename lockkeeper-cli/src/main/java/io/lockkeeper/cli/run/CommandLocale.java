package io.lockkeeper.cli.run;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.util.List;
import java.util.Map;

/**
 * Keeps arguments whole. Java decodes them by the locale and loses what that cannot carry, so the launcher starts Java with
 * LC_ALL=C.UTF-8 where the locale is C or not set, and leaves the former value for the command.
 */
public final class CommandLocale {

    /** The value of LC_ALL before; empty if it was not set. */
    private static final String BEFORE = "LOCKKEEPER_LC_ALL";

    private CommandLocale() {}

    static void restore(Map<String, String> environment) {
        String before = environment.remove(BEFORE);
        if (before == null) {
            return;
        }
        if (before.isEmpty()) {
            environment.remove("LC_ALL");
        } else {
            environment.put("LC_ALL", before);
        }
    }

    /** Refuses arguments that have lost characters: two names could have become one. */
    public static void check(List<String> arguments) {
        for (String argument : arguments) {
            if (argument.indexOf('\uFFFD') >= 0) {
                throw new CliException(
                        ExitCode.USAGE,
                        "The argument '" + argument + "' has bytes that the locale cannot carry;"
                                + " write it in UTF-8 and set LC_ALL to C.UTF-8");
            }
        }
    }
}
