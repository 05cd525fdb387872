package io.lockkeeper.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "demo",
        description = "A flash sale between processes, without a lock and with one.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class DemoCommand implements Callable<Integer> {
    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        throw new CliException(ExitCode.UNAVAILABLE, "The demonstration is not finished yet");
    }
}
