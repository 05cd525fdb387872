package io.lockkeeper.cli;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "ls",
        description = "Shows who holds what, and how many wait for it.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class LsCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", defaultValue = "", description = "Only names that begin so.")
    String prefix;

    @Mixin
    StoreOption store;

    @Option(names = "--json", description = "As JSON, for programs.")
    boolean json;

    @Override
    public Integer call() {
        List<ResourceState> states;
        try (Lockkeeper keeper = store.keeper().connect(store.url())) {
            states = keeper.list(prefix).stream()
                    .sorted(Comparator.comparing(
                                    (ResourceState state) -> state.resource().name())
                            .thenComparing(state -> state.resource().family().key()))
                    .toList();
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Listing.json(states));
        } else if (states.isEmpty()) {
            out.println("Nothing is held" + (prefix.isEmpty() ? "." : " whose name begins with '" + prefix + "'."));
        } else {
            out.print(Listing.table(states));
        }
        out.flush();
        return ExitCode.OK;
    }
}
