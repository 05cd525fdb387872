package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims on one resource in the order in which they came, and which of them hold.
 *
 * <p><b>Invariant.</b> A claim that holds in one reading of the folder holds in every later one, as long as its node is there: nodes
 * come in at the end only, and one that changes its mode becomes less and keeps its place. So an old reading may say that a claim
 * waits which holds by now, and never the other way round. (Making a semaphore smaller is the exception: its holders know that they
 * hold.)
 *
 * <p>What would break it: numbers compared as text or as plain ints, since the server's counter runs over after 2³¹ changes of a
 * folder. The newest claim would then be first, beside the one that holds.
 */
final class Queue {

    /**
     * What a claim finds.
     *
     * @param holds whether it holds
     * @param behind the nearest claim before it that is in its way; null if it holds, or if the whole queue is to be watched
     */
    record Verdict(boolean holds, @Nullable NodeName behind) {}

    private final List<NodeName> names;

    private Queue(List<NodeName> names) {
        this.names = names;
    }

    /** The claims of a folder; of none if it is not there. */
    static Queue of(@Nullable List<String> children) {
        List<NodeName> names = new ArrayList<>();
        for (String child : children == null ? List.<String>of() : children) {
            NodeName name = NodeName.parse(child);
            if (name != null) {
                names.add(name);
            }
        }
        names.sort(NodeName::compare);
        return new Queue(names);
    }

    List<NodeName> names() {
        return names;
    }

    /** The node of that claim; null if there is none. */
    @Nullable
    NodeName find(String claimId) {
        for (NodeName name : names) {
            if (name.claimId().equals(claimId)) {
                return name;
            }
        }
        return null;
    }

    /** Whether the claim at that place holds. */
    boolean holds(NodeName name, int size) {
        Verdict verdict = verdict(name, size);
        return verdict != null && verdict.holds();
    }

    /** Whether that very node is the first one. */
    boolean isFirst(NodeName name) {
        return !names.isEmpty() && names.get(0).equals(name);
    }

    /** Whether a claim that came now would hold. */
    boolean wouldHold(Mode mode, int size) {
        if (mode instanceof Mode.Permits wanted) {
            long sum = wanted.count();
            for (NodeName name : names) {
                sum += name.permits();
            }
            return sum <= size;
        }
        if (mode instanceof Mode.Shared) {
            return names.stream().noneMatch(NodeName::isExclusive);
        }
        return names.isEmpty();
    }

    /** What the claim at that place finds; null if its node is not there. */
    @Nullable
    Verdict verdict(NodeName mine, int size) {
        int at = -1;
        for (int i = 0; i < names.size() && at < 0; i++) {
            at = names.get(i).claimId().equals(mine.claimId()) ? i : -1;
        }
        if (at < 0) {
            return null;
        }
        NodeName name = names.get(at);
        if (name.kind() == 'p') {
            return permits(at, size);
        }
        for (int i = at - 1; i >= 0; i--) {
            NodeName before = names.get(i);
            if (name.isExclusive() || !before.isShared()) {
                return new Verdict(false, before);
            }
        }
        return new Verdict(true, null);
    }

    /** A claim holds while the sum of permits up to and including it is not more than there are. */
    private Verdict permits(int at, int size) {
        if (names.get(at).permits() > size) {
            // It was granted before the semaphore became smaller: a claim for more than there are does not stay in the
            // queue.
            return new Verdict(true, null);
        }
        long sum = 0;
        for (int i = 0; i <= at; i++) {
            sum += names.get(i).permits();
            if (sum > size) {
                // The first that does not fit waits for any change; those behind it for the one before them.
                return new Verdict(false, i == at ? null : names.get(at - 1));
            }
        }
        return new Verdict(true, null);
    }

    /** The claims before that one. */
    List<NodeName> before(NodeName mine) {
        return names.stream().filter(name -> name.compare(mine) < 0).toList();
    }

    /** Whether any claim comes after that one. */
    boolean hasAfter(NodeName mine) {
        return !names.isEmpty() && !names.get(names.size() - 1).claimId().equals(mine.claimId());
    }
}
