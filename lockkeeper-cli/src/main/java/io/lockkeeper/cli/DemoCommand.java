package io.lockkeeper.cli;

import io.lockkeeper.cli.demo.Demonstration;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = "A flash sale between processes: without a lock, with a bad one, with Lockkeeper. Half a minute.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "Exit code 1 if more or less than the stock was sold under Lockkeeper's lock, or if a fenced write came too late",
            " and was let through."
        })
final class DemoCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = "--on",
            paramLabel = "URL",
            description =
                    "The store; several processes must be able to reach it. Default: a new folder, deleted afterwards."
                            + " In a database its tables are made.")
    @Nullable
    String url;

    @Mixin
    DriverOption drivers;

    @Option(names = "--quick", description = "A fifth of the load.")
    boolean quick;

    @Override
    public Integer call() throws IOException {
        if (url != null) {
            drivers.load(url);
        }
        return new Demonstration(spec.commandLine().getOut(), quick, drivers.jars).play(url);
    }
}
