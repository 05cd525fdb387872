package io.lockkeeper.file;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where things are in the folder.
 *
 * <pre>
 *   _store           the store's id, and the mark above which new counters start
 *   _sessions/…      one file per open store, locked as long as it is open
 *   family/…         one file per resource
 * </pre>
 */
final class Folder {

    private static final System.Logger LOG = System.getLogger(Folder.class.getName());
    static final String SESSIONS = "_sessions";
    private static final String STORE = "_store";

    /**
     * A file.
     *
     * @param gate its name for {@link JvmFileLocks}: by the folder's inode, not by the path that led to it
     */
    record Place(Path path, String gate) {}

    private final Path path;
    private final String identity;
    private final HostSystem machine;
    /** Folders that were looked at. */
    private final Set<Path> families = ConcurrentHashMap.newKeySet();

    private Folder(Path path, String identity, HostSystem machine) {
        this.path = path;
        this.identity = identity;
        this.machine = machine;
    }

    /** Makes the folder and those above it if they are missing, for nobody but this user. */
    static Folder prepare(Path asGiven, HostSystem machine) {
        Path path = asGiven.toAbsolutePath().normalize();
        try {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(path, onlyOurs(path));
            }
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isSymbolicLink()) {
                throw FileErrors.isLink(path);
            }
            Path real = path.toRealPath();
            String identity = attributes.fileKey() == null
                    ? real.toString()
                    : attributes.fileKey().toString();
            Folder folder = new Folder(real, identity, machine);
            warnIfOpenToAll(real);
            folder.makeFolder(real.resolve(SESSIONS));
            return folder;
        } catch (IOException e) {
            throw FileErrors.of(path, e);
        }
    }

    private static void warnIfOpenToAll(Path path) throws IOException {
        if (isPosix(path)
                && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                        .contains(PosixFilePermission.OTHERS_WRITE)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Every user of this machine can delete the locks in " + path
                            + "; take the right to write there from others (chmod o-w)");
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] onlyOurs(Path path) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    private void makeFolder(Path folder) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw FileErrors.of(folder, e);
            }
        } catch (IOException e) {
            throw FileErrors.of(folder, e);
        }
    }

    Path path() {
        return path;
    }

    /** The machine's start; see {@link HostSystem}. */
    String boot() {
        return machine.boot();
    }

    Path session(String id) {
        return path.resolve(SESSIONS).resolve(id);
    }

    /** Makes a session's file. */
    FileChannel createSession(Path session) throws IOException {
        return machine.disk()
                .open(
                        session,
                        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    Place store() {
        return new Place(path.resolve(STORE), identity + "/" + STORE);
    }

    Place of(Resource resource) {
        return in(resource.family().key(), FileNames.fileName(resource));
    }

    Place in(String family, String fileName) {
        return new Place(path.resolve(family).resolve(fileName), identity + "/" + family + "/" + fileName);
    }

    /** The files of resources whose names have this prefix, or cannot be told without reading them; latches left out. */
    List<Place> places(String prefix) throws IOException {
        List<Place> places = new ArrayList<>();
        for (String family : children(path)) {
            if (!family.startsWith("_") && !family.equals(Family.LATCH.key())) {
                addPlaces(family, prefix, places);
            }
        }
        return places;
    }

    /** The files of one family whose names have this prefix, or cannot be told without reading them. */
    void addPlaces(String family, String prefix, List<Place> to) throws IOException {
        if (!Files.isDirectory(path.resolve(family), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        for (String fileName : children(path.resolve(family))) {
            String name = FileNames.name(fileName);
            if (name == null ? FileNames.isOurs(fileName) : name.startsWith(prefix)) {
                to.add(in(family, fileName));
            }
        }
    }

    private static List<String> children(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                names.add(child.getFileName().toString());
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Opens a resource's file, and makes it if it is missing. */
    RecordFile open(Resource resource, Deadline deadline) {
        Path family = path.resolve(resource.family().key());
        if (!families.contains(family)) {
            makeFolder(family);
            families.add(family);
        }
        return open(of(resource), deadline);
    }

    /** Opens the file of the store itself. */
    RecordFile openStore(Deadline deadline) {
        return open(store(), deadline);
    }

    private RecordFile open(Place place, Deadline deadline) {
        RecordFile opened = RecordFile.open(place, machine.disk(), deadline);
        if (opened == null) {
            families.clear();
            throw new StoreUnavailableException("The folder of " + place.path() + " was deleted while it was in use");
        }
        return opened;
    }

    /** Opens a file if it is there. */
    @Nullable
    RecordFile find(Place place, Deadline deadline) {
        return RecordFile.find(place, machine.disk(), deadline);
    }
}
