package io.lockkeeper.cli.demo;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.util.Locale;

/** The URL of a database, as the demonstration needs it. */
final class DatabaseUrl {

    private static final String CREATE = "lockkeeper.createTables=";

    private DatabaseUrl() {}

    static boolean isOne(String url) {
        return begins(url, "jdbc:");
    }

    /**
     * The same URL, by which the tables are made if they are missing.
     *
     * @throws CliException if only one process can open that database
     */
    static String withTables(String url) {
        boolean h2 = begins(url, "jdbc:h2:");
        if (begins(url, "jdbc:h2:mem:")
                || begins(url, "jdbc:sqlite::memory:")
                || url.equalsIgnoreCase("jdbc:sqlite:")) {
            throw new CliException(
                    ExitCode.USAGE,
                    "That database lives inside one process, and the demonstration needs several; use one in a file or a server");
        }
        boolean served = begins(url, "jdbc:h2:tcp:") || begins(url, "jdbc:h2:ssl:");
        if (h2 && !served && !url.toUpperCase(Locale.ROOT).contains(";AUTO_SERVER=TRUE")) {
            throw new CliException(
                    ExitCode.USAGE,
                    "H2 opens a file for one process only, and the demonstration needs several; put ;AUTO_SERVER=TRUE"
                            + " at the end of the URL");
        }
        if (url.contains(CREATE)) {
            return url;
        }
        return url + (h2 ? ";" : url.indexOf('?') < 0 ? "?" : "&") + CREATE + "true";
    }

    private static boolean begins(String url, String prefix) {
        return url.regionMatches(true, 0, prefix, 0, prefix.length());
    }
}
