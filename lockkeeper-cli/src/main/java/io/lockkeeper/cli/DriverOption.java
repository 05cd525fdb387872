package io.lockkeeper.cli;

import io.lockkeeper.cli.driver.LoadedDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Drivers of databases beside those that the command carries. */
final class DriverOption {

    @Option(
            names = "--driver",
            paramLabel = "JAR",
            description =
                    "The JDBC driver for a jdbc: URL. Those of H2 and SQLite are here. May be given several times.")
    List<Path> jars = List.of();

    /** The options as they were given. */
    String again() {
        StringBuilder again = new StringBuilder();
        jars.forEach(jar -> again.append(" --driver ").append(jar));
        return again.toString();
    }

    /** Makes the drivers known to JDBC if the URL is that of a database, and sees to it that one of them knows the URL. */
    void load(String url) {
        if (!url.toLowerCase(Locale.ROOT).startsWith("jdbc:")) {
            if (!jars.isEmpty()) {
                throw new CliException(
                        ExitCode.USAGE, "--driver is for a store whose URL begins with jdbc:; leave it out");
            }
            return;
        }
        for (Path jar : jars) {
            if (!Files.isRegularFile(jar)) {
                throw new CliException(ExitCode.USAGE, "There is no driver at " + jar + "; name the jar of a driver");
            }
        }
        if (!jars.isEmpty() && LoadedDriver.register(jars) == 0) {
            throw new CliException(
                    ExitCode.USAGE, "There is no JDBC driver in " + jars.get(0) + "; name the jar of a driver");
        }
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "No driver for " + scheme(url) + " is here; name its jar with --driver, as in --driver "
                            + scheme(url).replaceFirst("^jdbc:", "").replace(":", "") + ".jar");
        }
    }

    /** The part of the URL that names the driver: the rest may have a password. */
    private static String scheme(String url) {
        int end = url.indexOf(':', "jdbc:".length());
        return end < 0 ? "jdbc:" : url.substring(0, end + 1);
    }
}
