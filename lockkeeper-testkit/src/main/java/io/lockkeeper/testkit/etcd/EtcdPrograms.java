package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.ServerCache;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs {@code etcd} and {@code etcdctl}. No Maven artifact carries them. Debian's packages do; they are fetched by their names,
 * from whatever mirror apt is set up with, and unpacked. Nothing is installed, and no root is needed.
 */
final class EtcdPrograms {

    static final String VARIABLE = "ETCD_BIN";

    private static final String ABSENT = "There is no etcd server: set " + VARIABLE
            + " to the path of one, put etcd on the PATH, or run on a Debian whose apt can fetch the package etcd-server;"
            + " mvn -Pwithout-etcd leaves out the tests that need one";

    /** Of a machine whose lists of packages are missing or old, apt makes lists of its own in the folder. */
    private static final String FETCH = """
            set -e
            cd "$1"
            mkdir -p apt/lists/partial apt/cache/archives/partial
            here="$PWD/apt" user="$(id -un)"
            apt() {
                apt-get -qq -o APT::Sandbox::User="$user" "$@"
            }
            fresh() {
                apt -o Dir::State::lists="$here/lists" -o Dir::Cache="$here/cache" "$@"
            }
            apt download etcd-server etcd-client || { fresh update && fresh download etcd-server etcd-client; }
            for deb in *.deb; do dpkg-deb -x "$deb" .; done
            rm -rf apt ./*.deb
            """;

    private static final int FETCH_MINUTES = 5;

    private EtcdPrograms() {}

    private static final class Chosen {
        static final Path SERVER = choose(System.getenv(VARIABLE), System.getenv("PATH"));
    }

    static Path server() {
        return Chosen.SERVER;
    }

    /** {@code etcdctl}: beside the server's program, or on the PATH. */
    static Path client() {
        Path beside = server().resolveSibling("etcdctl");
        return Files.isExecutable(beside)
                ? beside
                : onPath("etcdctl", System.getenv("PATH"))
                        .orElseThrow(() -> new IllegalStateException("There is no etcdctl beside " + server()
                                + " or on the PATH; put one there, or unset " + VARIABLE + " on a Debian with apt"));
    }

    static Path choose(@Nullable String named, @Nullable String path) {
        if (named != null && !named.isBlank()) {
            Path program = Path.of(named).toAbsolutePath();
            if (!Files.isExecutable(program) || Files.isDirectory(program)) {
                throw new IllegalStateException("No program is at " + program + ", which " + VARIABLE
                        + " names as the etcd server; name the path of an etcd");
            }
            return program;
        }
        return onPath("etcd", path).orElseGet(() -> fetched(path));
    }

    private static Optional<Path> onPath(String program, @Nullable String path) {
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, program))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }

    private static Path fetched(@Nullable String path) {
        if (onPath("apt-get", path).isEmpty() || onPath("dpkg-deb", path).isEmpty()) {
            throw new IllegalStateException(ABSENT);
        }
        return ServerCache.folder("etcd-of-debian", EtcdPrograms::fetch).resolve("usr/bin/etcd");
    }

    private static void fetch(Path folder) throws IOException {
        Path log = Files.createTempFile("apt", ".log");
        try {
            Process apt = new ProcessBuilder("sh", "-c", FETCH, "sh", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!apt.waitFor(FETCH_MINUTES, TimeUnit.MINUTES) || apt.exitValue() != 0) {
                apt.destroyForcibly();
                throw new IllegalStateException(
                        ABSENT + " (apt said: " + Files.readString(log).strip().replace("\n", "; ") + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while fetching etcd", e);
        } finally {
            Files.deleteIfExists(log);
        }
    }
}
