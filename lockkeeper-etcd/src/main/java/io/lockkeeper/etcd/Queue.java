package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims on one resource in the order in which their keys were created, and which of them hold.
 *
 * <p><b>Invariant.</b> A claim that holds in one reading holds in every later one, as long as its key is there: keys come in at the
 * end only, and one that changes its mode becomes less and keeps its place. So an old reading may say that a claim waits which holds
 * by now, and never the other way round. (Making a semaphore smaller is the exception: its holders know that they hold.)
 */
final class Queue {

    /** One claim. */
    record Entry(KeyValue key, ClaimData data) {

        static Entry of(KeyValue key) {
            return new Entry(key, ClaimData.read(key.value()));
        }

        long createdAt() {
            return key.createRevision();
        }
    }

    private final List<Entry> entries;

    private Queue(List<Entry> entries) {
        this.entries = entries;
    }

    static Queue of(List<KeyValue> keys) {
        List<Entry> entries = new ArrayList<>(keys.size());
        for (KeyValue key : keys) {
            entries.add(Entry.of(key));
        }
        entries.sort(Comparator.comparingLong(Entry::createdAt));
        return new Queue(entries);
    }

    List<Entry> entries() {
        return entries;
    }

    @Nullable
    Entry first() {
        return entries.isEmpty() ? null : entries.get(0);
    }

    /** The claim whose key was created in that revision; null if it is not there. */
    @Nullable
    Entry at(long createdAt) {
        for (Entry entry : entries) {
            if (entry.createdAt() == createdAt) {
                return entry;
            }
        }
        return null;
    }

    /** The same without that claim. */
    Queue without(Entry gone) {
        return new Queue(entries.stream()
                .filter(entry -> entry.createdAt() != gone.createdAt())
                .toList());
    }

    /** The same with that claim in its place. */
    Queue with(Entry added) {
        List<Entry> more = new ArrayList<>(without(added).entries);
        more.add(added);
        more.sort(Comparator.comparingLong(Entry::createdAt));
        return new Queue(more);
    }

    /** Whether a claim that came now would hold. */
    boolean wouldHold(Mode mode, int size) {
        if (mode instanceof Mode.Permits wanted) {
            long sum = wanted.count();
            for (Entry entry : entries) {
                sum += entry.data.permits();
            }
            return sum <= size;
        }
        return mode instanceof Mode.Shared
                ? entries.stream().allMatch(entry -> entry.data.isShared())
                : entries.isEmpty();
    }

    /**
     * The claims that hold.
     *
     * @param size of the semaphore; of no meaning for others
     */
    List<Entry> holders(int size) {
        List<Entry> holders = new ArrayList<>();
        long sum = 0;
        boolean full = false;
        for (Entry entry : entries) {
            if (entry.data.isForPermits()) {
                sum += entry.data.permits();
                full |= sum > size;
                // One that asks for more than there are was granted before the semaphore became smaller: such a claim
                // does not stay in the queue otherwise.
                if (!full || entry.data.permits() > size) {
                    holders.add(entry);
                }
            } else if (holders.isEmpty()
                    || (entry.data.isShared() && holders.get(0).data.isShared())) {
                holders.add(entry);
            } else {
                return holders;
            }
        }
        return holders;
    }

    boolean holds(long createdAt, int size) {
        return holders(size).stream().anyMatch(entry -> entry.createdAt() == createdAt);
    }
}
