package io.lockkeeper.line;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.RetentionTimes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The latches of a store.
 *
 * <p>The count is the target less the number of <em>different</em> operations, so a request that is sent again counts
 * once; a generation is never used twice, so a request that comes late cannot count for the next one. Were the count a
 * number that is taken down, a lost reply would open the latch too early.
 *
 * <p>An open latch is remembered for a minute, for requests that are sent again, and is then forgotten.
 */
final class Latches {

    private static final class Latch {
        final long generation;
        final int target;
        final String begunBy;
        final Set<String> operations = new HashSet<>();
        final Set<String> waiters = new LinkedHashSet<>();
        boolean open;

        Latch(long generation, int target, String begunBy) {
            this.generation = generation;
            this.target = target;
            this.begunBy = begunBy;
        }

        int count() {
            return open ? 0 : target - operations.size();
        }
    }

    private record Opened(Resource latch, long generation, long until) {}

    private final TokenCounter generations;
    private final Set<LeasedStore.Signal> signals;
    private final Map<Resource, Latch> latches = new HashMap<>();
    private final Deque<Opened> opened = new ArrayDeque<>();

    Latches(TokenCounter generations, Set<LeasedStore.Signal> signals) {
        this.generations = generations;
        this.signals = signals;
    }

    void clear() {
        latches.clear();
        opened.clear();
    }

    Latches copy(TokenCounter newGenerations, Set<LeasedStore.Signal> newSignals) {
        Latches copy = new Latches(newGenerations, newSignals);
        latches.forEach((resource, latch) -> {
            Latch twin = new Latch(latch.generation, latch.target, latch.begunBy);
            twin.operations.addAll(latch.operations);
            twin.waiters.addAll(latch.waiters);
            twin.open = latch.open;
            copy.latches.put(resource, twin);
        });
        copy.opened.addAll(opened);
        return copy;
    }

    LatchStore.State state(String keeperId, Resource resource, boolean wake) {
        Latch latch = latches.get(resource);
        if (latch == null) {
            return new LatchStore.State(0, 0);
        }
        if (wake && !latch.open) {
            latch.waiters.add(keeperId);
        }
        return new LatchStore.State(latch.generation, latch.count());
    }

    boolean set(Resource resource, String operation, int count, long now) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + resource + " cannot count down from " + count + "; give it at least 1");
        }
        forgetOpened(now);
        Latch latch = latches.get(resource);
        if (latch != null && (latch.begunBy.equals(operation) || !latch.open)) {
            return latch.begunBy.equals(operation);
        }
        latches.put(resource, new Latch(generations.take(1, now).first(), count, operation));
        return true;
    }

    boolean countDown(Resource resource, long generation, String operation, long now) {
        Latch latch = latches.get(resource);
        if (latch == null || latch.generation != generation) {
            return false;
        }
        if (!latch.open && latch.operations.add(operation) && latch.count() == 0) {
            latch.open = true;
            latch.operations.clear();
            wake(resource, latch);
            opened.add(new Opened(resource, generation, now + RetentionTimes.OPEN_LATCH_KEPT.toNanos()));
        }
        return true;
    }

    void delete(Resource resource, long generation) {
        Latch latch = latches.get(resource);
        if (latch != null && latch.generation == generation) {
            latches.remove(resource);
            wake(resource, latch);
        }
    }

    private void wake(Resource resource, Latch latch) {
        for (String keeperId : latch.waiters) {
            signals.add(new LeasedStore.Signal(keeperId, resource));
        }
        latch.waiters.clear();
    }

    private void forgetOpened(long now) {
        for (Opened eldest = opened.peek(); eldest != null && now >= eldest.until(); eldest = opened.peek()) {
            opened.remove();
            Latch latch = latches.get(eldest.latch());
            if (latch != null && latch.generation == eldest.generation()) {
                latches.remove(eldest.latch());
            }
        }
    }
}
