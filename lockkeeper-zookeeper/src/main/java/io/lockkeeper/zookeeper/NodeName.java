package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Mode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name of a claim's node: {@code mode-claim-number}, such as {@code x-3f2a…-0000000007}. The mode is {@code x} (exclusive),
 * {@code s} (shared) or {@code p} with a number of permits, the first in capitals if the grant is sticky. The number is given by the server.
 *
 * <p><b>Invariant.</b> The claim's id is in the name, so a claim whose reply was lost finds its node again by reading the folder,
 * and needs no other record that could disagree with it.
 *
 * @param sticky whether the keeper may keep the grant while nothing holds it
 * @param kind {@code x}, {@code s} or {@code p}
 * @param permits how many; 0 but for {@code p}
 * @param claimId the id of the claim
 * @param number the sequence number; it runs over from the largest to the smallest int
 */
record NodeName(boolean sticky, char kind, int permits, String claimId, int number) {

    /** The beginning of the name of a claim's node, to which the server adds the number. */
    static String prefix(Mode mode, boolean sticky, String claimId) {
        String text;
        if (mode instanceof Mode.Permits permits) {
            text = "p" + permits.count();
        } else {
            text = mode instanceof Mode.Shared ? "s" : "x";
        }
        return (sticky && mode instanceof Mode.Exclusive ? text.toUpperCase(Locale.ROOT) : text) + "-" + claimId + "-";
    }

    /** The name of a node; null if it is none of ours. */
    static @Nullable NodeName parse(String name) {
        int first = name.indexOf('-');
        int second = name.indexOf('-', first + 1);
        if (first < 1 || second < 0) {
            return null;
        }
        char letter = name.charAt(0);
        char kind = Character.toLowerCase(letter);
        try {
            int permits = kind == 'p' ? Integer.parseInt(name.substring(1, first)) : 0;
            if ("xsp".indexOf(kind) < 0 || (kind != 'p' && first != 1)) {
                return null;
            }
            return new NodeName(
                    kind != letter,
                    kind,
                    permits,
                    name.substring(first + 1, second),
                    Integer.parseInt(name.substring(second + 1)));
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /** The same place in another mode; only exclusive grants are kept. */
    NodeName in(Mode mode) {
        if (mode instanceof Mode.Permits changed) {
            return new NodeName(false, 'p', changed.count(), claimId, number);
        }
        boolean shared = mode instanceof Mode.Shared;
        return new NodeName(sticky && !shared, shared ? 's' : 'x', 0, claimId, number);
    }

    boolean isExclusive() {
        return kind == 'x';
    }

    boolean isShared() {
        return kind == 's';
    }

    /** Whether it is before the other one: by difference, since numbers run over. */
    int compare(NodeName other) {
        return Integer.compare(number - other.number, 0);
    }

    @Override
    public String toString() {
        String text = kind == 'p' ? "p" + permits : String.valueOf(kind);
        return (sticky ? text.toUpperCase(Locale.ROOT) : text) + "-" + claimId + "-"
                + String.format(Locale.ROOT, "%010d", number);
    }
}
