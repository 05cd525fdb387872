package io.lockkeeper.file;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * {@code file:/folder}, {@code file:///folder}, or {@code file:folder} relative to the working directory. What follows is
 * taken as it is: no character is special, {@code ~} neither.
 */
public final class FileProvider implements BackendProvider {

    private static final String PREFIX = "file:";

    /** For {@link java.util.ServiceLoader}. */
    public FileProvider() {}

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Set<Capability> capabilities() {
        return FileBackend.CAPABILITIES;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public Backend create(String url) {
        if (!url.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            throw malformed(url, "does not begin with 'file:'");
        }
        String path = url.substring(PREFIX.length());
        if (path.startsWith("//")) {
            path = path.substring(2);
            if (!path.startsWith("/")) {
                throw malformed(
                        url, "names a host, '" + path.split("/", 2)[0] + "', and only this machine's can be used");
            }
        }
        if (path.isBlank()) {
            throw malformed(url, "names no folder");
        }
        try {
            return FileBackend.in(Path.of(path));
        } catch (InvalidPathException e) {
            throw malformed(url, "has no path of this system: " + e.getReason());
        }
    }

    private static IllegalArgumentException malformed(String url, String what) {
        return new IllegalArgumentException("The URL '" + url + "' " + what + "; write it like 'file:/var/lib/locks'");
    }
}
