package io.lockkeeper.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * Folders that all test runs of one user share: unpacked servers, and empty databases to copy.
 *
 * <p>Invariant: a folder under its final name is whole, since it is made under another name and moved; and nobody else can write
 * into it, since the folder around it belongs to this user. Two runs that make the same one at once both succeed: one moves
 * its folder, the other takes that one.
 */
public final class ServerCache {

    private ServerCache() {}

    /** What fills a new folder. */
    public interface Filling {
        void fill(Path folder) throws IOException;
    }

    /** The folder of this name, filled if it is not there yet. */
    public static Path folder(String name, Filling filling) {
        try {
            Path parent = parent();
            Path folder = parent.resolve(name);
            if (Files.isDirectory(folder)) {
                return folder;
            }
            Path part = Files.createTempDirectory(parent, name + ".part");
            try {
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
                filling.fill(part);
                move(part, folder);
            } finally {
                delete(part);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make " + name, e);
        }
    }

    private static void move(Path part, Path folder) throws IOException {
        try {
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private static Path parent() throws IOException {
        Path parent =
                Path.of(System.getProperty("java.io.tmpdir"), "lockkeeper-servers-" + System.getProperty("user.name"));
        if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(parent);
            Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String owner = Files.getOwner(parent, LinkOption.NOFOLLOW_LINKS).getName();
        if (!owner.equals(System.getProperty("user.name"))) {
            throw new IOException(
                    parent + " belongs to " + owner + ", who could change what is run from there; remove it");
        }
        return parent;
    }

    /** Removes a folder and all that is in it. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The first half of a SHA-256, to name what is kept. */
    public static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
