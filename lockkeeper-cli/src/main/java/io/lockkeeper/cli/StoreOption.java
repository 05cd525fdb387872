package io.lockkeeper.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store to use. */
final class StoreOption {

    @Option(
            names = "--on",
            paramLabel = "URL",
            description = "The store, such as file:/var/lib/app/locks. Default: the folder .lockkeeper in your home.")
    @Nullable
    String url;

    String url() {
        return url != null ? url : "file:" + Path.of(System.getProperty("user.home"), ".lockkeeper");
    }
}
