package io.lockkeeper.flashsale;

import java.util.Map;
import picocli.CommandLine;

/** The flash sale, from a command line. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        // Sellers end when their standard input does, which is when this process ends.
        System.exit(commandLine(Map.of()).execute(arguments));
    }

    static CommandLine commandLine(Map<Way, Way> planted) {
        return new CommandLine(new FlashSaleCommand(planted)).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
