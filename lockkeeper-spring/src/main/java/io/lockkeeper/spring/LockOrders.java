package io.lockkeeper.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notices locks that are taken in two orders, which is how two calls end up waiting for each other. It remembers which lock was taken under
 * which, and warns when the opposite was seen before, once for each pair.
 *
 * <p>Two rules are compared by their templates, so that {@code order:1} under {@code customer:7} and {@code customer:9} under {@code
 * order:2} are noticed. Two locks of one template are compared by their names. Only locks of annotations are seen, and only a sample of
 * them; the memory is bounded, the oldest pairs are forgotten.
 */
final class LockOrders {

    private static final Log LOG = LogFactory.getLog(LockOrders.class);
    private static final int REMEMBERED = 4_096;

    private final int oneIn;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Map<Pair, String> seen = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** @param oneIn one in so many is checked; 0 for none */
    LockOrders(int oneIn) {
        this.oneIn = oneIn;
    }

    private record Pair(String outer, String inner) {
        Pair turned() {
            return new Pair(/* outer= */ inner, /* inner= */ outer);
        }
    }

    /** To be called before the lock is taken: a call that waits forever is the one that matters. */
    void check(List<HeldLock> held, LockRule rule, List<String> names, String place) {
        if (held.isEmpty()
                || oneIn == 0
                || (oneIn > 1 && ThreadLocalRandom.current().nextInt(oneIn) != 0)) {
            return;
        }
        for (HeldLock outer : held) {
            Pair pair = pair(outer, rule, names);
            if (!pair.outer().equals(pair.inner())) {
                check(pair, outer, place);
            }
        }
    }

    private static Pair pair(HeldLock outer, LockRule rule, List<String> names) {
        return outer.rule().text().equals(rule.text())
                ? new Pair(outer.names().toString(), names.toString())
                : new Pair(outer.rule().text(), rule.text());
    }

    private void check(Pair pair, HeldLock outer, String place) {
        String here = outer.place() + ", then " + place;
        String there = remember(pair, here);
        if (there != null) {
            LOG.warn("Locks are taken in two orders, so two calls may wait for each other: " + pair.outer() + " before "
                    + pair.inner() + " by " + here + ", but " + pair.inner() + " before " + pair.outer() + " by "
                    + there
                    + ". Take them in one order, or both by one @Locked with two names.");
        }
    }

    /** @return where the opposite was seen, the first time that both are known; else null */
    private @Nullable String remember(Pair pair, String here) {
        mutex.lock();
        try {
            String opposite = seen.get(pair.turned());
            return seen.putIfAbsent(pair, here) == null ? opposite : null;
        } finally {
            mutex.unlock();
        }
    }
}
