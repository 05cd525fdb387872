package io.lockkeeper.file;

import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The life of an open store, for other processes to see: a file of its own, locked by the operating system from opening to
 * closing. The operating system ends the lock when the process ends, however it ends; so whoever can lock the file knows
 * that all grants in its name are void.
 *
 * <p>Invariants, and what breaks without them:
 *
 * <ul>
 *   <li><b>Locked before it is named.</b> A grant is written in a session's name only after the session's file is locked. Else
 *       somebody who looks in between takes the grant for a dead one's.
 *   <li><b>Its own JVM never opens it again</b>, because closing it again would end the lock; nor is anything called that does
 *       so behind the scenes, such as {@code Files.setLastModifiedTime}. Sessions of this JVM, of whatever class loader, are
 *       known by a system property, which is there before the file is.
 *   <li><b>A missing file is a dead session.</b> Whoever finds one dead deletes its file while he has it locked; an opener that
 *       locked a file looks whether it is still there by its name.
 * </ul>
 */
final class Session {

    private static final String PROPERTY = "io.lockkeeper.file.session:";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id;
    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;
    private final @Nullable Object inode;

    private Session(String id, Path path, FileChannel channel, FileLock lock, @Nullable Object inode) {
        this.id = id;
        this.path = path;
        this.channel = channel;
        this.lock = lock;
        this.inode = inode;
    }

    static String randomId() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static Session begin(Folder folder) {
        for (int i = 0; i < 10; i++) {
            Session begun = tryBegin(folder, randomId());
            if (begun != null) {
                return begun;
            }
        }
        throw new StoreUnavailableException(
                "The files in " + folder.session("") + " are deleted as soon as they are made; find out by whom");
    }

    private static @Nullable Session tryBegin(Folder folder, String id) {
        Path path = folder.session(id);
        Session begun = null;
        System.getProperties().setProperty(PROPERTY + id, "");
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            FileLock lock = channel.tryLock();
            Object inode = inode(path);
            if (lock == null || inode == null) {
                channel.close();
            } else {
                begun = new Session(id, path, channel, lock, inode);
            }
            return begun;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw Trouble.of(path, e);
        } finally {
            if (begun == null) {
                System.getProperties().remove(PROPERTY + id);
            }
        }
    }

    String id() {
        return id;
    }

    /** Whether others still see it; not if somebody deleted its file. */
    boolean isIntact() {
        try {
            return lock.isValid() && inode != null && inode.equals(inode(path));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Gives the file a new date, to keep those away who clear folders of what is old. It is written for that, because
     * setting the date by its path would open the file and close it again.
     */
    void touch() {
        try {
            channel.write(ByteBuffer.wrap(new byte[1]), 0);
        } catch (IOException e) {
            // Then it looks old; nothing depends on it.
        }
    }

    /** Ends it, and with it all that is held in its name. */
    void end() {
        try (channel) {
            if (isIntact()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // The lock is gone with the channel, and a file that stays behind is deleted by the next who looks.
        } finally {
            System.getProperties().remove(PROPERTY + id);
        }
    }

    /** What tells the file from another of the same name; null if it is missing. */
    private static @Nullable Object inode(Path path) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.fileKey() == null ? attributes.creationTime() : attributes.fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Whether a session's process lives and has it open. When in doubt it does. */
    static boolean isAlive(Folder folder, String id, Deadline deadline) {
        if (System.getProperty(PROPERTY + id) != null) {
            return true;
        }
        Folder.Place place = folder.in(Folder.SESSIONS, id);
        Gates.Gate gate = Gates.enter(place.gate(), deadline);
        try (FileChannel probe = FileChannel.open(
                        place.path(), StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock dead = probe.tryLock()) {
            if (dead == null) {
                return true;
            }
            delete(place.path());
            return false;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException | OverlappingFileLockException e) {
            return true;
        } finally {
            gate.leave();
        }
    }

    private static void delete(Path dead) {
        try {
            Files.deleteIfExists(dead);
        } catch (IOException e) {
            // Then it stays, and is as dead.
        }
    }

    /** Deletes what processes left that were killed. */
    static void sweep(Folder folder, Deadline deadline) {
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(folder.session(""))) {
            for (Path session : sessions) {
                isAlive(folder, session.getFileName().toString(), deadline);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The next one who opens the store tries again.
        }
    }
}
