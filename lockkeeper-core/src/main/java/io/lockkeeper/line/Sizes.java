package io.lockkeeper.line;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.SemaphoreSize;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The numbers of permits of semaphores. A number that was set stays until it is cleared, others while they are used. */
final class Sizes {

    /** In the order of last use, so that the sweep finds the abandoned ones first. */
    private final Map<Resource, StoredSize> sizes = new LinkedHashMap<>(16, 0.75f, true);

    Sizes copy() {
        Sizes copy = new Sizes();
        copy.sizes.putAll(sizes);
        return copy;
    }

    SemaphoreSize of(Resource semaphore) {
        StoredSize known = sizes.get(semaphore);
        return known == null ? SemaphoreSize.NONE : known.number();
    }

    void keep(Resource semaphore, SemaphoreSize number, long now) {
        if (number.permits() > 0) {
            sizes.put(semaphore, new StoredSize(number, now));
        }
    }

    /** Why a claim for permits can never be granted; null if it can. */
    @Nullable
    Answer refusal(Resource semaphore, Mode.Permits wanted) {
        SemaphoreSize known = of(semaphore);
        if (!known.accepts(wanted.of())) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + semaphore + " has " + known.permits() + " permits in the store, not " + wanted.of()
                            + "; use that number or change it with resize");
        }
        if (wanted.of() > 0 && wanted.count() > wanted.of()) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + semaphore + " has " + wanted.of() + " permits, so " + wanted.count()
                            + " at once can never be had; ask for fewer or resize it");
        }
        return null;
    }

    @Nullable
    StoredSize stored(Resource semaphore) {
        return sizes.get(semaphore);
    }

    void restore(Resource semaphore, @Nullable StoredSize size) {
        if (size == null) {
            sizes.remove(semaphore);
        } else {
            sizes.put(semaphore, size);
        }
    }

    void remove(Resource semaphore) {
        sizes.remove(semaphore);
    }

    void clear() {
        sizes.clear();
    }

    /** Looks at the size that was used least recently, and forgets it if it is of no use any more. */
    void sweep(long now, Predicate<Resource> inUse) {
        Iterator<Map.Entry<Resource, StoredSize>> all = sizes.entrySet().iterator();
        if (all.hasNext()) {
            Map.Entry<Resource, StoredSize> eldest = all.next();
            StoredSize size = eldest.getValue();
            if (size.number().set()) {
                // It stays until it is cleared. Looking it up makes it the youngest.
                sizes.get(eldest.getKey());
            } else if (now - size.usedAt() > RetentionTimes.SIZE_KEPT.toNanos() && !inUse.test(eldest.getKey())) {
                all.remove();
            }
        }
    }
}
