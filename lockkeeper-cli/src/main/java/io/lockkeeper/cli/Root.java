package io.lockkeeper.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

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
            "  file:/path                                a folder on this machine; the default is ~/.lockkeeper",
            "  redis://[[user]:password@]host[:6379][/0] one Redis or Valkey server",
            "  rediss://...                              the same over TLS",
            "  redis-sentinel://h1:26379,h2:26379/name   a primary that Sentinel looks after",
            "  redis-cluster://h1:6379,h2:6379           a cluster",
            "  redlock://h1:6379,h2:6379,h3:6379         independent servers of which a majority must agree",
            "  jdbc:sqlite:/path, jdbc:h2:/path          a database in files; both drivers are here",
            "  jdbc:postgresql://host/app?user=app       a database server; --driver JAR names its driver, also for",
            "                                            jdbc:mariadb: and jdbc:mysql:",
            "  etcd://[user:password@]h1:2379,h2:2379/x  etcd; the path is the prefix of its keys. etcds:// for TLS",
            "  memory:name                               inside one process, so of little use here",
            "Options follow a question mark, as in redis://host?prefix=shop; docs/redis.md has them all.",
            "In a jdbc: URL, lockkeeper.createTables=true makes the tables if they are missing."
        })
final class Root implements Runnable {

    @Spec
    CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Tell more, and where in the program an error came from.")
    boolean verbose;

    /** What is said of a word that is no command. */
    static String noCommand(UnmatchedArgumentException failure) {
        return "There is no command '" + failure.getUnmatched().get(0)
                + "'; the commands are run, ls and demo: see lockkeeper --help";
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which command? One of run, ls and demo; see lockkeeper --help");
    }
}
