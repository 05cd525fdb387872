package io.lockkeeper.etcd;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where things are, below a prefix:
 *
 * <pre>
 * format                             the version of this layout
 * id                                 the store's id
 * q/lock/orders%2F42/CLAIM           a claim, on a lease of its keeper; see {@link ClaimData}
 * dead/lock/orders%2F42/CLAIM        a tombstone, on a lease that is not renewed
 * mail/KEEPER                        the mailbox of a keeper, on its lease
 * size/semaphore/seats               the size of a semaphore
 * latch/latch/ready                  the operation that set the latch; see {@link EtcdLatches}
 * count/latch/ready/OPERATION        how far a latch has to count, and below it what has counted it down
 * wait/latch/ready/KEEPER            a keeper that waits for a latch, on its lease
 * guard/WHAT                         the last token that a guard admitted
 * </pre>
 *
 * <p><b>Invariant.</b> Different names have different keys, and none is a prefix of another's folder: letters, digits and {@code
 * . _ - :} stay, each other byte of UTF-8 becomes {@code %XX}, so a name has no slash.
 *
 * <p>The keys of a lock are in the order of their creation, as those of {@code etcdctl lock} and of the mutex of etcd's Go client: {@code
 * etcdctl lock lockkeeper/q/lock/orders} and a lock named {@code orders} exclude each other.
 */
final class Layout {

    /** The version that this code reads and writes. */
    static final int FORMAT = 1;

    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private final String prefix;

    Layout(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    String format() {
        return prefix + "/format";
    }

    String id() {
        return prefix + "/id";
    }

    String queues() {
        return prefix + "/q/";
    }

    /** Where a resource's claims are. */
    String queue(Resource resource) {
        return queues() + path(resource) + "/";
    }

    /** The key of a claim. */
    String claim(Resource resource, String claimId) {
        return queue(resource) + escaped(claimId);
    }

    String tombstone(Resource resource, String claimId) {
        return prefix + "/dead/" + path(resource) + "/" + escaped(claimId);
    }

    String mail(String keeper) {
        return prefix + "/mail/" + escaped(keeper);
    }

    String size(Resource semaphore) {
        return prefix + "/size/" + path(semaphore);
    }

    String latch(Resource latch) {
        return prefix + "/latch/" + path(latch);
    }

    String count(Resource latch, String operation) {
        return prefix + "/count/" + path(latch) + "/" + escaped(operation);
    }

    String waiters(Resource latch) {
        return prefix + "/wait/" + path(latch) + "/";
    }

    String guard(String what) {
        return prefix + "/guard/" + escaped(what);
    }

    /** A resource in a key and in mail. */
    static String path(Resource resource) {
        return resource.family().key() + "/" + escaped(resource.name());
    }

    /** The resource of such a path; null if it is none of ours. */
    static @Nullable Resource resource(String path) {
        int slash = path.indexOf('/');
        String name = slash < 1 ? null : plain(path.substring(slash + 1));
        try {
            return name == null ? null : new Resource(new Family(path.substring(0, slash)), name);
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    /** The resource of a claim's key; null if it is none of ours. */
    @Nullable
    Resource resourceOf(String claimKey) {
        int last = claimKey.lastIndexOf('/');
        return claimKey.startsWith(queues()) && last > queues().length()
                ? resource(claimKey.substring(queues().length(), last))
                : null;
    }

    /** The claim of a key. */
    static String claimId(String claimKey) {
        String plain = plain(claimKey.substring(claimKey.lastIndexOf('/') + 1));
        return plain == null ? "" : plain;
    }

    static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(each)) {
                text.append((char) each);
            } else {
                text.append('%').append(HEX[(each >> 4) & 15]).append(HEX[each & 15]);
            }
        }
        return text.toString();
    }

    private static boolean isPlain(byte letter) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9')
                || letter == '.'
                || letter == '_'
                || letter == '-'
                || letter == ':';
    }

    private static @Nullable String plain(String escaped) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        for (int i = 0; i < escaped.length(); i++) {
            char each = escaped.charAt(i);
            if (each == '%') {
                boolean whole = i + 2 < escaped.length();
                int high = whole ? Character.digit(escaped.charAt(i + 1), 16) : -1;
                int low = whole ? Character.digit(escaped.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                name.write(high << 4 | low);
                i += 2;
            } else if (each > 127 || !isPlain((byte) each)) {
                return null;
            } else {
                name.write(each);
            }
        }
        return name.toString(StandardCharsets.UTF_8);
    }
}
