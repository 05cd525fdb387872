package io.lockkeeper.file;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store in a folder, for the processes of one machine. There is no server: it needs nothing but the folder.
 *
 * <p><b>Guaranteed.</b> Claims exclude each other between all threads, keepers, class loaders and processes that use the
 * folder. What a process holds is free the moment it ends, also by {@code kill -9}, and is never lost while it lives, however
 * long it is stopped. Interrupting threads takes nothing away. Tokens of a name never go down, also if the power fails, if
 * the clock is set back, or after an idle file was deleted.
 *
 * <p><b>Not guaranteed.</b> There are no leases: a process that hangs keeps what it holds until it is ended. (Fixed leases do
 * end by themselves, by the clock of the machine.) Waiters poll, every 1 to 50 ms; the order is about that of arrival, not
 * exactly. Deleting files of the folder while they are in use takes away what is held in them, and the holders are notified only
 * with their next renewal; if the clock is also set back then, tokens may repeat, as after restoring the folder from a
 * backup. Other code of the same process must not open and close files of the folder, such as to copy them: on POSIX systems
 * that ends the process's locks on them. Network file systems are not supported, because their locks do not keep what this
 * needs; nor are two machines on one disk.
 *
 * <h2>How it works</h2>
 *
 * <p>Every keeper that opens the store has a <em>session</em>: a file of its own that it locks, by the operating system, for as
 * long as it is open. Every resource has a <em>ledger</em>: a small file with the list of its holders, each with the session
 * it belongs to, and the last token. A claim is granted by entering it into the list, which is read, changed and written
 * back under a lock that lasts some microseconds. A claim that finds another in its way looks whether
 * the session of that one is still locked; if not, its process is gone and the entry is void.
 *
 * <p>Invariant: <b>a claim holds if and only if its ledger lists it and its session's file is locked.</b> Two claims that
 * exclude each other are never listed together unless one's session has ended, because the list is changed by one process
 * at a time, from a state that no crash leaves half written ({@link RecordFile}).
 *
 * <p>Why not the obvious way, an operating system's lock per resource, exclusive or shared? On POSIX systems such locks belong
 * to the process, not to the file handle: closing any handle of a file ends all of them, so each look at a resource that
 * this very process holds, such as from a second class loader, could end the hold; two readers of one process count as
 * one; an exclusive lock cannot be turned into a shared one through Java without letting go; and n of m permits would
 * take n locks. Here the one lock that lasts is on a file that nothing else in the process ever opens.
 */
public final class FileBackend implements Backend {

    static final Set<Capability> CAPABILITIES = Collections.unmodifiableSet(EnumSet.of(
            Capability.SHARED,
            Capability.PERMITS,
            Capability.LATCH,
            Capability.QUEUE,
            Capability.HAND_OFF,
            Capability.EXTEND,
            Capability.SIZES,
            Capability.HOLDERS));

    private final Path folder;
    private final @Nullable Duration retention;
    private final HostSystem machine;
    private final FileThreads workers;

    FileBackend(Path folder, @Nullable Duration retention, HostSystem machine) {
        this.folder = folder;
        this.retention = retention;
        this.machine = machine;
        this.workers = new FileThreads(describe());
    }

    /**
     * The store in that folder. It is made when a keeper opens it, for this user alone, and those above it too.
     *
     * @param folder in the file system of the machine; relative ones are relative to the working directory
     */
    public static FileBackend in(Path folder) {
        given(folder, "folder");
        if (folder.getFileSystem() != FileSystems.getDefault()) {
            throw new IllegalArgumentException("The folder " + folder + " is in " + folder.getFileSystem()
                    + ", where nothing can be locked; give a folder of the machine's own file system");
        }
        return new FileBackend(folder.toAbsolutePath().normalize(), FilePolicy.RETENTION, HostSystem.real());
    }

    /** The same store, of which this keeper deletes files that were not used for this time, instead of for 7 days. */
    public FileBackend withRetention(Duration atLeast) {
        given(atLeast, "atLeast");
        if (atLeast.compareTo(FilePolicy.SHORTEST_RETENTION) < 0) {
            throw new IllegalArgumentException("Idle files cannot be deleted after " + Durations.text(atLeast)
                    + " already; give them at least a minute");
        }
        return new FileBackend(folder, atLeast, machine);
    }

    /** The same store, of which this keeper deletes nothing. */
    public FileBackend withoutPurge() {
        return new FileBackend(folder, null, machine);
    }

    @Override
    public String describe() {
        return "file:" + folder;
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Store open(Keeper keeper) {
        try {
            return new FileStore(this, keeper, workers);
        } catch (ClaimRefusedException e) {
            throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    Folder prepare() {
        return Folder.prepare(folder, machine);
    }

    @Nullable
    Duration retention() {
        return retention;
    }

    /** Nothing to do: its threads end by themselves when the stores are closed. */
    @Override
    public void close() {}
}
