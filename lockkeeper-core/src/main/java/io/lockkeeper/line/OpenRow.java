package io.lockkeeper.line;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.WaiterTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row that was read, as a store in which a step can be taken.
 *
 * <p>A step that only notes that a keeper still waits, or that a semaphore was used, is not worth a write each time: such a time
 * is written again when the old one is too old to be of use. A waiter's stamp is renewed once a second, three times before it
 * counts as silent.
 */
public final class OpenRow {

    private static final long STAMPED_EVERY = WaiterTimes.SILENT_AFTER.toNanos() / 3;
    private static final long USED_EVERY = RetentionTimes.SIZE_KEPT.toNanos() / 24;

    private final Resource resource;
    private final RowForm read;
    private final LeasedStore store;
    private final Snapshot before;

    OpenRow(Resource resource, RowForm read, LeasedStore store, Snapshot before) {
        this.resource = resource;
        this.read = read;
        this.store = store;
        this.before = before;
    }

    /** The store; it knows of this resource alone. */
    public LeasedStore store() {
        return store;
    }

    /**
     * What has to be written after a step; null if nothing changed that is worth a write.
     *
     * @throws LineFormatException if it is too long
     */
    public @Nullable RowForm changed() {
        Snapshot after = store.snapshot(resource, LineFormat.ENDINGS);
        RowForm calm = RowForm.of(withOldTimes(after), resource);
        return calm.says(read) ? null : RowForm.of(after, resource);
    }

    /** Whether nothing is held, queued for or remembered, and no size was set, so that the row may be deleted. */
    public boolean isIdle(long now) {
        store.inspect(resource, now);
        Snapshot left = store.snapshot(resource, 0);
        StoredSize size = left.size();
        return left.line() == null && (size == null || !size.number().set());
    }

    private Snapshot withOldTimes(Snapshot after) {
        LineState line = after.line();
        StoredSize size = after.size();
        StoredSize old = before.size();
        if (size != null
                && old != null
                && size.number().equals(old.number())
                && isRecent(old.usedAt(), size.usedAt(), USED_EVERY)) {
            size = old;
        }
        return new Snapshot(after.lastToken(), line == null ? null : withOldStamps(line), size, after.endings());
    }

    private LineState withOldStamps(LineState line) {
        LineState old = before.line();
        if (old == null || line.places().isEmpty()) {
            return line;
        }
        Map<String, Long> stamps = new HashMap<>();
        old.places().forEach(place -> stamps.put(place.claimId, place.stampedAt()));
        List<QueuePlace> places = line.places().stream()
                .map(place -> {
                    Long stamp = stamps.get(place.claimId);
                    return stamp != null && isRecent(stamp, place.stampedAt(), STAMPED_EVERY)
                            ? new QueuePlace(place.claimId, place.keeperId, place.mode, stamp)
                            : place;
                })
                .toList();
        return new LineState(line.grants(), places, line.tombstones(), line.newestToken(), line.lastTold());
    }

    private static boolean isRecent(long old, long now, long age) {
        return old <= now && now - old < age;
    }
}
