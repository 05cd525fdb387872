package io.lockkeeper.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The server's program. It is copied once out of its jar into a folder that all test runs of this machine share.
 *
 * <p>Invariant: a file under the final name is whole and has the digest that its name tells, since it is written under
 * another name and moved; and the digest is looked at before the file is run, since others may be able to write into the folder.
 */
final class RedisBinary {

    static final String PROPERTY = "lockkeeper.redis.server";
    static final String VARIABLE = "LOCKKEEPER_REDIS_SERVER";

    private static final String VERSION = "7.0.15";
    private static final String ANCIENT = "redis-server-2.8.19";

    private RedisBinary() {}

    private static final class Chosen {
        static final Path PATH = choose();
    }

    static Path path() {
        return Chosen.PATH;
    }

    private static Path choose() {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        return named == null || named.isBlank()
                ? unpack(System.getProperty("os.name"), System.getProperty("os.arch"))
                : named(named);
    }

    /** A program fresh out of an archive may lack the right to be run; it is given here. */
    static Path named(String file) {
        Path path = Path.of(file).toAbsolutePath();
        if (!Files.isExecutable(path) && !path.toFile().setExecutable(true)) {
            throw new IllegalStateException("No program is at " + path + ", which " + VARIABLE + " or " + PROPERTY
                    + " names as the Redis server; name the path of a redis-server or valkey-server");
        }
        return path;
    }

    static Path unpack(String system, String machine) {
        String name = "redis-server-" + VERSION + "-" + platform(system, machine);
        byte[] program = read(name);
        if (program == null) {
            throw new IllegalStateException("There is no Redis server for " + system + " on " + machine
                    + " on the class path (looked for " + name
                    + " of org.signal:embedded-redis); add that artifact, or set "
                    + VARIABLE + " to the path of a redis-server");
        }
        return unpack(name, program);
    }

    static Path ancient() {
        String name = switch (platform(System.getProperty("os.name"), System.getProperty("os.arch"))) {
            case "linux-amd64" -> ANCIENT;
            case "linux-arm64" -> ANCIENT + "-linux-aarch64";
            case "linux-386" -> ANCIENT + "-32";
            default -> ANCIENT + ".app";
        };
        byte[] program = read(name);
        if (program == null) {
            throw new IllegalStateException("There is no " + name
                    + " on the class path; add the artifact com.github.codemonstur:embedded-redis:0.11.0");
        }
        return unpack(name, program);
    }

    private static String platform(String system, String machine) {
        String os = system.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : system.toLowerCase(Locale.ROOT);
        String arch = switch (machine) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            case "i386", "x86" -> "386";
            default -> machine;
        };
        return os + "-" + arch;
    }

    private static byte @Nullable [] read(String name) {
        try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path unpack(String name, byte[] program) {
        String digest = digest(program);
        try {
            Path folder = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "lockkeeper-servers"));
            Path file = folder.resolve(name + "-" + digest);
            if (!Files.isExecutable(file) || !digest.equals(digest(Files.readAllBytes(file)))) {
                Path part = Files.createTempFile(folder, name, ".part");
                Files.write(part, program);
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack the Redis server", e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
