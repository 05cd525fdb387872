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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The life of an open store, for other processes to see: a file of its own, locked by the operating system from opening to
 * closing. The operating system ends the lock when the process ends, however it ends; so a process that can lock the file
 * knows that all grants in its name are void.
 *
 * <p>Invariants, and what breaks without them:
 *
 * <ul>
 *   <li><b>Locked before it is named.</b> A grant is written in a session's name only after the session's file is locked. Else
 *       a process that looks in between takes the grant for one of a dead session.
 *   <li><b>Its own JVM never closes it again</b>, because that would end the lock; nor is anything called that does so behind
 *       the scenes, such as {@code Files.setLastModifiedTime}. Sessions of this class are known by a static set. Those of
 *       other class loaders of this JVM are known by a system property, which is there before the file is. System properties
 *       do not last: a test framework or an application server may restore an older copy of them. So a file that turns out
 *       to be locked by this JVM stays open until that lock is gone, and each renewal sets the property again. What is left:
 *       a class loader that meets such a file, and is discarded and collected before the lock is gone, closes it.
 *   <li><b>A missing file is a dead session.</b> A process that finds a session dead deletes its file while it has it locked; an opener
 *       that locked a file looks whether it is still there by its name.
 * </ul>
 */
final class Session {

    private static final String PROPERTY = "io.lockkeeper.file.session:";
    private static final SecureRandom RANDOM = new SecureRandom();
    /** The sessions of this class. */
    private static final Set<String> OWN = ConcurrentHashMap.newKeySet();
    /** Files that another class loader of this JVM has locked, by session; used inside the file's gate only. */
    private static final ConcurrentHashMap<String, FileChannel> KEPT_OPEN = new ConcurrentHashMap<>();

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
        throw new StoreUnavailableException("The files in " + folder.session("")
                + " are deleted as soon as they are made; find out what deletes them");
    }

    private static @Nullable Session tryBegin(Folder folder, String id) {
        Path path = folder.session(id);
        Session begun = null;
        announce(id);
        try {
            FileChannel channel = folder.createSession(path);
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
            throw FileErrors.of(path, e);
        } finally {
            if (begun == null) {
                renounce(id);
            }
        }
    }

    private static void announce(String id) {
        OWN.add(id);
        System.getProperties().setProperty(PROPERTY + id, JvmMark.OWN);
    }

    private static void renounce(String id) {
        System.getProperties().remove(PROPERTY + id);
        OWN.remove(id);
    }

    String id() {
        return id;
    }

    /** Whether others still see it; not if its file was deleted. */
    boolean isIntact() {
        try {
            return lock.isValid() && inode != null && inode.equals(inode(path));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Gives the file a new date, to keep those away who clear folders of what is old. It is written for that, because
     * setting the date by its path would open the file and close it again. Tells other class loaders of it again, too.
     */
    void touch() {
        System.getProperties().putIfAbsent(PROPERTY + id, JvmMark.OWN);
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
            renounce(id);
        }
    }

    /** What tells the file from another of the same name; null if it is missing. */
    static @Nullable Object inode(Path path) throws IOException {
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
        if (OWN.contains(id) || isAnnouncedByAnotherLoader(folder, id)) {
            return true;
        }
        Folder.Place place = folder.in(Folder.SESSIONS, id);
        JvmFileLocks.Gate gate = JvmFileLocks.enter(place.gate(), deadline);
        try {
            FileChannel probe = KEPT_OPEN.remove(id);
            return isLocked(id, place.path(), probe == null ? probe(place.path()) : probe);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        } finally {
            gate.leave();
        }
    }

    /** A property that this class set, or a JVM that this one inherited its properties from, tells nothing. */
    private static boolean isAnnouncedByAnotherLoader(Folder folder, String id) {
        return JvmMark.isAnotherLoaders(System.getProperty(PROPERTY + id))
                && Files.exists(folder.session(id), LinkOption.NOFOLLOW_LINKS);
    }

    private static FileChannel probe(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isLocked(String id, Path path, FileChannel probe) throws IOException {
        boolean ours = false;
        try (FileLock dead = probe.tryLock()) {
            if (dead == null) {
                return true;
            }
            delete(path);
            return false;
        } catch (OverlappingFileLockException e) {
            ours = true;
            KEPT_OPEN.put(id, probe);
            return true;
        } finally {
            if (!ours) {
                probe.close();
            }
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
