package io.lockkeeper.cli.run;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a program as the leader of a session and process group of its own, under the same process id. Java cannot; so
 * {@code setsid} does, or {@code perl} where there is none (macOS). A shell's {@code set -m} would not do: some shells
 * have it on a terminal only.
 */
final class Session {

    private static final String PERL = "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit 127";

    private Session() {}

    static List<String> lead(String... program) {
        List<String> line = new ArrayList<>(leader());
        line.addAll(List.of(program));
        return line;
    }

    private static List<String> leader() {
        if (Programs.find("setsid") != null) {
            return List.of("setsid");
        }
        if (Programs.find("perl") != null) {
            return List.of("perl", "-e", PERL, "--");
        }
        throw new CliException(
                ExitCode.UNAVAILABLE,
                "A command needs a process group of its own, and neither setsid nor perl is on the PATH; install one");
    }
}
