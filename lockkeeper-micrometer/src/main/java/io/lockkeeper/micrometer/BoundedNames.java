package io.lockkeeper.micrometer;

import io.lockkeeper.Resource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The values of the tag {@code name}: groups of names, such as {@code orders/*}, and never more than {@link #MOST} of them.
 *
 * <p><b>Invariant.</b> A value is new only if a permit was left for it. Each value makes meters that stay until the process
 * ends, so a function that returns each name as it is would fill the memory.
 */
final class BoundedNames {

    static final int MOST = 100;
    static final String OTHER = "other";

    private final Function<? super Resource, String> groups;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Semaphore left = new Semaphore(MOST);

    BoundedNames(Function<? super Resource, String> groups) {
        this.groups = groups;
    }

    String of(Resource resource) {
        String group = groups.apply(resource);
        if (known.contains(group)) {
            return group;
        }
        if (!left.tryAcquire()) {
            return OTHER;
        }
        if (!known.add(group)) {
            left.release();
        }
        return group;
    }
}
