package io.lockkeeper.line;

import io.lockkeeper.Loss;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why the last grants ended that were not released, so that their holders can be told. */
final class Endings {

    private static final int REMEMBERED = 1_000;

    private final Map<String, Loss.Reason> reasons = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Loss.Reason> eldest) {
            return size() > REMEMBERED;
        }
    };

    void record(String claimId, Loss.Reason reason) {
        reasons.put(claimId, reason);
    }

    Loss.@Nullable Reason of(String claimId) {
        return reasons.get(claimId);
    }

    Endings copy() {
        Endings copy = new Endings();
        copy.reasons.putAll(reasons);
        return copy;
    }
}
