package io.lockkeeper.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.cli.run.CommandLocale;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where {@code lockkeeper} begins. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, false, UTF_8);
        PrintWriter err = new PrintWriter(System.err, false, UTF_8);
        System.exit(execute(out, err, arguments));
    }

    /** Runs one command line and returns its exit code. */
    static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        List<String> all = List.of(arguments);
        int dashes = all.indexOf("--");
        // What follows the dashes belongs to the command that is run: picocli never sees it.
        List<String> own = dashes < 0 ? all : all.subList(0, dashes);
        List<String> command = dashes < 0 ? null : all.subList(dashes + 1, all.size());
        CommandLine line = commandLine(own.isEmpty() ? "" : own.get(0), command)
                .setOut(out)
                .setErr(err);
        try {
            CommandLocale.check(all);
            if (command != null && !own.contains("run")) {
                throw new CliException(ExitCode.USAGE, "Only lockkeeper run takes a command after two dashes");
            }
        } catch (CliException e) {
            return tell(line, e, false);
        }
        return line.execute(own.toArray(new String[0]));
    }

    private static CommandLine commandLine(String first, @Nullable List<String> command) {
        Root root = new Root();
        CommandLine line = new CommandLine(root);
        // Reading the annotations of a command takes time, so only the one that is used is added.
        switch (first) {
            case "run" -> line.addSubcommand(new RunCommand(command));
            case "ls" -> line.addSubcommand(new LsCommand());
            case "demo" -> line.addSubcommand(new DemoCommand());
            default ->
                line.addSubcommand(new RunCommand(command))
                        .addSubcommand(new LsCommand())
                        .addSubcommand(new DemoCommand());
        }
        return line.setExpandAtFiles(false)
                .setExecutionExceptionHandler((failure, at, parsed) -> tell(at, failure, root.verbose))
                .setParameterExceptionHandler((failure, given) -> misused(failure));
    }

    private static int misused(ParameterException failure) {
        PrintWriter err = failure.getCommandLine().getErr();
        boolean noCommand = failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && failure.getCommandLine().getCommand() instanceof Root;
        err.println("lockkeeper: "
                + (noCommand ? Root.noCommand((UnmatchedArgumentException) failure) : failure.getMessage()));
        err.flush();
        return ExitCode.USAGE;
    }

    private static int tell(CommandLine line, Exception failure, boolean verbose) {
        PrintWriter err = line.getErr();
        err.println("lockkeeper: " + (failure.getMessage() == null ? failure.toString() : failure.getMessage()));
        if (verbose) {
            failure.printStackTrace(err);
        }
        err.flush();
        if (failure instanceof CliException told) {
            return told.exitCode();
        }
        boolean misused = failure instanceof IllegalArgumentException || failure instanceof UnsupportedFeatureException;
        return misused ? ExitCode.USAGE : ExitCode.UNAVAILABLE;
    }
}
