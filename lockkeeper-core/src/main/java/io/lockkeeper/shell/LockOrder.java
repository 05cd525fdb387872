package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which everybody takes the locks of a multi-lock.
 *
 * <p><b>Invariant.</b> Everybody takes locks in the same order, by name, family and the id that the store itself carries;
 * so among those who hold some and wait for others, one always holds the last lock that anybody has, and nobody waits in
 * a circle. Ordering by address would break it: two processes may know the same two stores under swapped names.
 *
 * <p>A store may lose its id, as by a flush, and get another one. So the ids are what the stores say <em>now</em>: they are asked
 * for each acquisition, and a wait that holds something already asks again every two seconds. If the order is another one, it gives
 * back what it has and begins anew. What would break it otherwise: a process holds {@code n} on store A and waits for it on
 * store B, in the order A, B. B is flushed; a new process reads another id, takes {@code n} on B first and waits for A. Both renew
 * what they hold, so nothing would ever end that. With it, all that wait know the same ids two seconds later, and the circle
 * opens.
 */
final class LockOrder {

    private final List<LiveLock<?, ?>> locks;
    private final Set<Resource> ties;

    LockOrder(List<LiveLock<?, ?>> locks) {
        this.locks = locks;
        this.ties = ties(locks);
    }

    /** What several keepers have under one name. */
    private static Set<Resource> ties(List<LiveLock<?, ?>> locks) {
        Set<Resource> once = new HashSet<>();
        Set<Resource> twice = new HashSet<>();
        for (LiveLock<?, ?> lock : locks) {
            if (!once.add(lock.order.resource())) {
                twice.add(lock.order.resource());
            }
        }
        return twice;
    }

    /** Whether the order depends on the stores' ids, so that it can change while a caller waits. */
    boolean mayChange() {
        return !ties.isEmpty();
    }

    /**
     * Indexes of the locks in this order. The stores' ids are needed only for what several keepers have under one name; all
     * else is told apart by name and family.
     */
    List<Integer> now() {
        record Place(String name, String family, String store, int index) {}
        List<Place> places = new ArrayList<>();
        Set<Object> known = new HashSet<>();
        Map<KeeperCore, String> ids = new HashMap<>();
        for (int i = 0; i < locks.size(); i++) {
            Resource resource = locks.get(i).order.resource();
            String store = ties.contains(resource) ? ids.computeIfAbsent(locks.get(i).core, KeeperCore::storeId) : "";
            if (!known.add(List.of(store, resource))) {
                throw new IllegalArgumentException(
                        resource + " is named twice in a multi-lock, by two keepers of the same store; name it once");
            }
            places.add(new Place(resource.name(), resource.family().key(), store, i));
        }
        places.sort(
                Comparator.comparing(Place::name).thenComparing(Place::family).thenComparing(Place::store));
        return places.stream().map(Place::index).toList();
    }

    /** Whether the stores say now that the locks are to be taken in another order; no if they do not answer. */
    boolean isOtherThan(List<Integer> order) {
        try {
            return !now().equals(order);
        } catch (StoreUnavailableException silent) {
            return false;
        }
    }

    /** The order has changed since the first lock was taken: all are given back, and it begins anew. */
    static final class Changed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Changed() {
            super("The order of the locks has changed", null, false, false);
        }
    }

    /** Looks at the order while a thread waits that holds some of the locks already; ends the wait by {@link Changed}. */
    BlockingAcquisition.Watch watch(List<Integer> order) {
        return new Watch(order);
    }

    private final class Watch implements BlockingAcquisition.Watch {
        private final List<Integer> order;
        private long next = Long.MAX_VALUE;

        Watch(List<Integer> order) {
            this.order = order;
        }

        @Override
        public long due(Moment now) {
            if (next == Long.MAX_VALUE) {
                next = now.mono() + KeeperPolicy.MULTI_LOCK_ORDER_CHECK.toNanos();
            }
            return next;
        }

        @Override
        public void look(Moment now) {
            if (now.mono() < next) {
                return;
            }
            next = Long.MAX_VALUE;
            if (isOtherThan(order)) {
                throw new Changed();
            }
        }
    }
}
