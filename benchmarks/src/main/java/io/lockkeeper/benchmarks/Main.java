package io.lockkeeper.benchmarks;

import picocli.CommandLine;

/** The {@code bench} command. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchCommand()).execute(arguments));
    }
}
