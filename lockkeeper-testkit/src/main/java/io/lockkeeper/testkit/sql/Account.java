package io.lockkeeper.testkit.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The user that servers run as. PostgreSQL refuses to run as root; if this JVM does, servers run as the user that has no name
 * of its own (65534), and their folders are that user's.
 */
final class Account {

    private static final int NOBODY = 65534;
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private Account() {}

    /** The command, run as that user and by the same process: the number of the process is that of the program. */
    static List<String> command(List<String> command) {
        if (!ROOT) {
            return command;
        }
        List<String> words = new ArrayList<>(
                List.of("setpriv", "--reuid", "" + NOBODY, "--regid", "" + NOBODY, "--clear-groups", "--"));
        words.addAll(command);
        return words;
    }

    static List<String> command(String... command) {
        return command(List.of(command));
    }

    /** Makes the user the owner. */
    static void give(Path path) throws IOException {
        if (ROOT) {
            Files.setAttribute(path, "unix:uid", NOBODY);
            Files.setAttribute(path, "unix:gid", NOBODY);
        }
    }
}
