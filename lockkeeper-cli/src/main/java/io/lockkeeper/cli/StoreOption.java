package io.lockkeeper.cli;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store to use. */
final class StoreOption {

    /** Commands begin in a cold JVM, often with many others at the full hour: then a second is not much. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    @Option(
            names = "--on",
            paramLabel = "URL",
            description = "The store, such as file:/var/lib/app/locks or redis://host; lockkeeper --help has all forms."
                    + " Default: the folder .lockkeeper in your home.")
    @Nullable
    String url;

    /** For a keeper on that store, to be connected to its {@link #url}. */
    LockkeeperBuilder keeper() {
        return Lockkeeper.builder().commandTimeout(COMMAND_TIMEOUT);
    }

    /** The option as it was given, to be used again; without the password, which must not get into logs. */
    String again() {
        return url == null ? "" : " --on " + url.replaceFirst("(://[^/@]*:)[^/@]*@", "$1...@");
    }

    String url() {
        return url != null ? url : "file:" + Path.of(System.getProperty("user.home"), ".lockkeeper");
    }
}
