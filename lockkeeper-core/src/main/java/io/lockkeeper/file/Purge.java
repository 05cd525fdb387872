package io.lockkeeper.file;

import io.lockkeeper.Family;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.spi.Clocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The deletion of files whose names have not been used for a long time. Any keeper does it, once a day for the whole folder.
 *
 * <p>Tokens do not go down: under the file's mutex the last token is first folded into the store's high-water mark and forced
 * to disk, then the file is marked as given up, then deleted. A process that makes the file anew does so after the deletion,
 * so it starts above the mark; one that had it open from before finds it given up. If the file were deleted without the mark,
 * that process would be granted a claim in a file that no other can find.
 */
final class Purge {

    private static final System.Logger LOG = System.getLogger(Purge.class.getName());

    private final Clocks clocks;
    private final @Nullable Duration retention;
    private final BooleanSupplier stopped;
    private final AtomicLong nextLook = new AtomicLong();

    /**
     * @param retention null if files are kept forever
     * @param stopped whether to leave the rest to others
     */
    Purge(Clocks clocks, @Nullable Duration retention, BooleanSupplier stopped) {
        this.clocks = clocks;
        this.stopped = stopped;
        this.retention = retention;
    }

    private long millis() {
        return clocks.now().wall() / 1_000_000;
    }

    boolean mayBeDue() {
        return retention != null && millis() >= nextLook.get();
    }

    /**
     * Looks for idle files, unless a keeper has done so within the last day.
     *
     * @return whether it did
     */
    boolean runIfDue(Folder folder, String session) {
        long now = millis();
        long next = nextLook.get();
        if (stopped.getAsBoolean()
                || retention == null
                || now < next
                || !nextLook.compareAndSet(next, now + FilePolicy.PURGE_EVERY.toMillis())) {
            return false;
        }
        try {
            StoreFile store = StoreFile.read(folder, Deadline.in(FilePolicy.PURGE_OF_ONE));
            if (Math.abs(now - store.purgedAt()) < FilePolicy.PURGE_EVERY.toMillis()) {
                return false;
            }
            StoreFile.purging(folder, now, Deadline.in(FilePolicy.PURGE_OF_ONE));
            run(folder, session, now - retention.toMillis());
            return true;
        } catch (LockkeeperException | IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "Idle files stay in " + folder.path() + " for another day", e);
            return false;
        }
    }

    /** Deletes what was not used since then. */
    void run(Folder folder, String session, long usedBefore) throws IOException {
        List<Folder.Place> places = folder.places("");
        folder.addPlaces(Family.LATCH.key(), "", places);
        for (Folder.Place place : places) {
            if (!stopped.getAsBoolean() && isOld(place, usedBefore)) {
                purge(folder, place, session, usedBefore);
            }
        }
    }

    private static boolean isOld(Folder.Place place, long usedBefore) throws IOException {
        return Files.exists(place.path(), LinkOption.NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(place.path(), LinkOption.NOFOLLOW_LINKS)
                                .toMillis()
                        < usedBefore;
    }

    private static void purge(Folder folder, Folder.Place place, String session, long usedBefore) throws IOException {
        Deadline deadline = Deadline.in(FilePolicy.PURGE_OF_ONE);
        Ledger seen = OpenLedger.peek(folder, place, deadline);
        // A copy of a ledger carries the same name; the ledger itself is elsewhere, and in use
        // perhaps.
        if (seen == null || !folder.of(seen.resource).equals(place)) {
            return;
        }
        try (OpenLedger open = OpenLedger.find(folder, seen.resource, deadline)) {
            if (open == null || !isOld(place, usedBefore)) {
                return;
            }
            Ledger ledger = open.ledger();
            ledger.bury(other -> other.equals(session) || Session.isAlive(folder, other, deadline));
            boolean counting = ledger.latch != null && ledger.latch.count() > 0;
            if (!ledger.held.isEmpty() || !ledger.waiting.isEmpty() || counting || ledger.size.set()) {
                return;
            }
            if (StoreFile.read(folder, deadline).highWater() < ledger.counter) {
                StoreFile.raise(folder, ledger.counter, deadline);
            }
            ledger.purged = true;
            open.save();
            Files.deleteIfExists(place.path());
        }
    }
}
