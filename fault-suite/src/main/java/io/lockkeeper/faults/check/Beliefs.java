package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * At most one holder at a time, by what the holders themselves believe.
 *
 * <p>A belief is the span in which a hold is certain to have called itself held. So each overlap that is found has an
 * instant at which both of them, asked, would have said yes; some that were shorter than the pause between two looks
 * may be missed.
 */
final class Beliefs {

    private record Belief(Call call, long from, long to) {}

    private final Excuses excuses;
    private final List<Finding> findings = new ArrayList<>();
    private long longest;

    Beliefs(History history) {
        excuses = new Excuses(history);
        Map<String, List<Belief>> byName = new HashMap<>();
        for (Call call : history.calls()) {
            if (call.answer() instanceof Answer.Granted granted) {
                byName.computeIfAbsent(call.name(), name -> new ArrayList<>())
                        .add(new Belief(call, granted.at(), granted.believedTo()));
            }
        }
        byName.values().forEach(this::check);
    }

    private void check(List<Belief> beliefs) {
        beliefs.sort(Comparator.comparingLong(Belief::from));
        List<Belief> open = new ArrayList<>();
        for (Belief belief : beliefs) {
            open.removeIf(other -> other.to < belief.from);
            for (Belief other : open) {
                long length = Math.min(other.to, belief.to) - belief.from;
                longest = Math.max(longest, length);
                findings.add(new Finding(
                        excuses.cover(belief.from) ? Rule.OVERLAP_EXPLAINED : Rule.OVERLAP,
                        other.call + " still believed to hold for " + length / 1_000 + " us when " + belief.call
                                + " did too"));
            }
            open.add(belief);
        }
    }

    List<Finding> findings() {
        return findings;
    }

    long longest() {
        return longest;
    }
}
