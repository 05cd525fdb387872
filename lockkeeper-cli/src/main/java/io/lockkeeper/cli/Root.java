package io.lockkeeper.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "lockkeeper",
        description = "Locks between processes: run a command under a lock, see who holds what, watch a demonstration.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(run | ls | demo)",
        footer = {
            "",
            "Each command has a --help of its own.",
            "",
            "Stores (--on URL):",
            "  file:/path   a folder on this machine; the default is ~/.lockkeeper",
            "  memory:name  inside one process, so of little use here",
            "  and what the modules on the class path offer"
        })
final class Root implements Runnable {

    @Spec
    CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Tell more, and where in the program an error came from.")
    boolean verbose;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which command? One of run, ls and demo; see lockkeeper --help");
    }
}
