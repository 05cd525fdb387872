package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Mode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name of a claim's node: {@code mode-claim-number}, such as {@code x-3f2a…-0000000007}. The mode is {@code x} (exclusive), {@code
 * s} (shared), {@code p} with a number of permits, or {@code r} (exclusive, owned by an id of the application, see {@link
 * RequestClaims}); the first in capitals if the grant is sticky. The number is given by the server.
 *
 * <p>In a folder that is shared with Curator's {@code InterProcessMutex} names end as Curator's do, {@code x-3f2a…-lock-0000000007},
 * since Curator orders them by what comes after {@code lock-}; and Curator's own, {@code _c_UUID-lock-0000000007}, are exclusive claims
 * of the kind {@code c}.
 *
 * <p><b>Invariant.</b> The claim's id is in the name, so a claim whose reply was lost finds its node again by reading the folder,
 * and needs no other record that could disagree with it. Different ids have different names: all but letters and digits is encoded.
 *
 * @param sticky whether the keeper may keep the grant while nothing holds it
 * @param kind {@code x}, {@code s}, {@code p}, {@code r} or {@code c}
 * @param permits how many; 0 but for {@code p}
 * @param claimId the id of the claim; of a node of Curator the beginning of its name
 * @param label what stands before the number: nothing, or {@link #MUTEX}
 * @param number the sequence number; it runs over from the largest to the smallest int
 */
record NodeName(boolean sticky, char kind, int permits, String claimId, String label, int number) {

    /** What Curator's mutexes have before the number. */
    static final String MUTEX = "lock-";

    private static final String CURATOR = "_c_";

    /** The beginning of the name of a claim's node, to which the server adds the number. */
    static String prefix(Mode mode, boolean sticky, String claimId, String label) {
        String text;
        if (mode instanceof Mode.Permits permits) {
            text = "p" + permits.count();
        } else {
            text = mode instanceof Mode.Shared ? "s" : "x";
        }
        return (sticky && mode instanceof Mode.Exclusive ? text.toUpperCase(Locale.ROOT) : text) + "-"
                + PathText.encode(claimId) + "-" + label;
    }

    /** The same for a claim that is owned by an id of the application. */
    static String requestPrefix(String requestId, String label) {
        return "r-" + PathText.encode(requestId) + "-" + label;
    }

    /** The name of a node; null if it is none of ours and none of Curator's mutexes. */
    static @Nullable NodeName parse(String name) {
        try {
            return name.startsWith(CURATOR) ? ofCurator(name) : ofOurs(name);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            return null;
        }
    }

    private static @Nullable NodeName ofCurator(String name) {
        int end = name.lastIndexOf("-" + MUTEX);
        return end < 0
                ? null
                : new NodeName(false, 'c', 0, name.substring(0, end), MUTEX, number(name, end + 1 + MUTEX.length()));
    }

    private static @Nullable NodeName ofOurs(String name) {
        int first = name.indexOf('-');
        int second = name.indexOf('-', first + 1);
        if (first < 1 || second < 0) {
            return null;
        }
        char letter = name.charAt(0);
        char kind = Character.toLowerCase(letter);
        if ("xspr".indexOf(kind) < 0 || (kind != 'p' && first != 1)) {
            return null;
        }
        String label = name.startsWith(MUTEX, second + 1) ? MUTEX : "";
        return new NodeName(
                kind != letter,
                kind,
                kind == 'p' ? Integer.parseInt(name.substring(1, first)) : 0,
                PathText.decode(name.substring(first + 1, second)),
                label,
                number(name, second + 1 + label.length()));
    }

    private static int number(String name, int from) {
        return Integer.parseInt(name.substring(from));
    }

    /** The same place in another mode; only exclusive grants are kept. */
    NodeName in(Mode mode) {
        if (mode instanceof Mode.Permits changed) {
            return new NodeName(false, 'p', changed.count(), claimId, label, number);
        }
        boolean shared = mode instanceof Mode.Shared;
        return new NodeName(sticky && !shared, shared ? 's' : 'x', 0, claimId, label, number);
    }

    boolean isExclusive() {
        return kind == 'x' || kind == 'r' || kind == 'c';
    }

    boolean isShared() {
        return kind == 's';
    }

    /** Whether it belongs to no session, and ends by a lease of its own. */
    boolean isRequest() {
        return kind == 'r';
    }

    /** Whether it is before the other one: by difference, since numbers run over. */
    int compare(NodeName other) {
        return Integer.compare(number - other.number, 0);
    }

    @Override
    public String toString() {
        String end = "-" + label + String.format(Locale.ROOT, "%010d", number);
        if (kind == 'c') {
            return claimId + end;
        }
        String text = kind == 'p' ? "p" + permits : String.valueOf(kind);
        return (sticky ? text.toUpperCase(Locale.ROOT) : text) + "-" + PathText.encode(claimId) + end;
    }
}
