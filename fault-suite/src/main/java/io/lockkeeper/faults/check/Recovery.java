package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** How long after a fault every name was acquired again by somebody. */
final class Recovery {

    /** Far beyond any lease of a run; a run that needs all of it would also need twice as much. */
    private static final long LIMIT = 30_000_000_000L;

    private final List<Figures.Recovered> times = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    Recovery(History history) {
        Map<String, NavigableSet<Long>> grants = new HashMap<>();
        history.names().forEach(name -> grants.put(name, new TreeSet<>()));
        for (Call call : history.calls()) {
            NavigableSet<Long> moments = grants.get(call.name());
            if (moments != null && call.answer() instanceof Answer.Granted granted) {
                moments.add(granted.at());
            }
        }
        for (Incident incident : history.incidents()) {
            check(incident, grants);
        }
    }

    private void check(Incident incident, Map<String, NavigableSet<Long>> grants) {
        long slowest = 0;
        for (Map.Entry<String, NavigableSet<Long>> name : grants.entrySet()) {
            Long next = name.getValue().higher(incident.expectedFrom());
            if (next == null || next - incident.expectedFrom() > LIMIT) {
                findings.add(new Finding(
                        Rule.NOT_RECOVERED, name.getKey() + " was not acquired for 30 s after " + incident));
                return;
            }
            slowest = Math.max(slowest, next - incident.expectedFrom());
        }
        times.add(new Figures.Recovered(incident.kind(), slowest));
    }

    List<Finding> findings() {
        return findings;
    }

    List<Figures.Recovered> times() {
        return times;
    }
}
