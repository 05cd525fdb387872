package io.lockkeeper.cli;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store to use. */
final class StoreOption {

    /** Commands begin in a cold JVM, often with many others at the full hour: then a second is not much. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    @Option(
            names = "--on",
            paramLabel = "URL",
            description = "The store, such as file:/var/lib/app/locks, redis://host or jdbc:postgresql://host/app;"
                    + " lockkeeper --help has all forms."
                    + " Default: the folder .lockkeeper in your home.")
    @Nullable
    String url;

    @Mixin
    DriverOption drivers = new DriverOption();

    /** For a keeper on that store, to be connected to its {@link #url}. */
    LockkeeperBuilder keeper() {
        return Lockkeeper.builder().commandTimeout(COMMAND_TIMEOUT);
    }

    /** The options as they were given, to be used again; without the password, which must not get into logs. */
    String again() {
        return url == null ? "" : " --on " + shown(url) + drivers.again();
    }

    private static String shown(String url) {
        String shown =
                url.replaceFirst("(://[^/@]*:)[^/@]*@", "$1...@").replaceAll("(?i)([?&;]password=)[^&;]*", "$1...");
        // What a shell would take for something else, as the parameters of a database's URL.
        return shown.matches("[\\w:/.,@%+=~-]*") ? shown : "'" + shown + "'";
    }

    /** The store's URL; if it is a database, its driver is there afterwards. */
    String url() {
        if (url == null) {
            return "file:" + Path.of(System.getProperty("user.home"), ".lockkeeper");
        }
        drivers.load(url);
        return url;
    }
}
