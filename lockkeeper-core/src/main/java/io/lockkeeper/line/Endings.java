package io.lockkeeper.line;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why the latest grants ended that were not released, so that their holders can be told. */
final class Endings {

    private static final int REMEMBERED = 1_000;

    private record Key(Resource resource, String claimId) {}

    /** A grant that ended without a release. */
    record Ending(String claimId, Loss.Reason reason) {}

    private final Map<Key, Loss.Reason> reasons = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Loss.Reason> eldest) {
            return size() > REMEMBERED;
        }
    };

    void record(Resource resource, String claimId, Loss.Reason reason) {
        reasons.put(new Key(resource, claimId), reason);
    }

    Loss.@Nullable Reason of(Resource resource, String claimId) {
        return reasons.get(new Key(resource, claimId));
    }

    /** The latest endings of one resource, the eldest first. */
    List<Ending> latest(Resource resource, int atMost) {
        List<Ending> all = new ArrayList<>();
        reasons.forEach((key, reason) -> {
            if (key.resource.equals(resource)) {
                all.add(new Ending(key.claimId, reason));
            }
        });
        return all.subList(Math.max(0, all.size() - atMost), all.size());
    }

    /** Replaces what is known of one resource. */
    void replace(Resource resource, List<Ending> endings) {
        reasons.keySet().removeIf(key -> key.resource.equals(resource));
        endings.forEach(ending -> record(resource, ending.claimId, ending.reason));
    }

    Endings copy() {
        Endings copy = new Endings();
        copy.reasons.putAll(reasons);
        return copy;
    }
}
