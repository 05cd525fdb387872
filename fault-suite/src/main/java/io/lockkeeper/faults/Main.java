package io.lockkeeper.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;

/** Where {@code ./faults} begins, and where it ends: never without a word. */
public final class Main {

    private static final int USAGE = 2;
    private static final int FAILED = 3;

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, UTF_8);
        AtomicBoolean done = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!done.get()) {
                err.println("faults: was told to end before it was done, by a signal or by the system;"
                        + " what was not printed above is not known");
            }
        }));
        int exit;
        try {
            exit = execute(out, err, arguments);
        } catch (Throwable failure) {
            // Also an error: were it left to the JVM, threads of a proxy could keep that from ending.
            failure.printStackTrace(err);
            exit = FAILED;
        }
        done.set(true);
        System.exit(exit);
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
