package io.lockkeeper.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import picocli.CommandLine;

/** Where {@code ./faults} begins. */
public final class Main {

    private static final int USAGE = 2;
    private static final int FAILED = 3;

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, UTF_8);
        System.exit(execute(out, err, arguments));
    }

    static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        return new CommandLine(new FaultsCommand())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((failure, given) -> {
                    err.println("faults: " + failure.getMessage());
                    return USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    if (failure instanceof IllegalArgumentException) {
                        err.println("faults: " + failure.getMessage());
                        return USAGE;
                    }
                    failure.printStackTrace(err);
                    return FAILED;
                })
                .execute(arguments);
    }
}
