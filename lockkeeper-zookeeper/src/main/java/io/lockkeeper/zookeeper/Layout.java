package io.lockkeeper.zookeeper;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where things are, below a root:
 *
 * <pre>
 * format                                    the version of this layout
 * id                                        the store's id
 * keepers/KEEPER-SESSION                    ephemeral: what a keeper writes to as its contact
 * queues/a3f/lock.orders%2F42               container: the folder of a resource, which the server removes when it is empty
 * queues/a3f/lock.orders%2F42/x-CLAIM-0…7   ephemeral: a claim, see {@link NodeName}
 * sizes/a3f/semaphore.seats                 the size of a semaphore; it outlives the folder of its claims
 * released/CLAIM                            ephemeral: a claim that a keeper ended which was not its own
 * latches/a3f/latch.ready                   container: a latch, see {@link ZookeeperLatches}
 * </pre>
 *
 * <p><b>Invariants.</b> Different resources have different paths: letters, digits, {@code _} and {@code -} of a name stay, each other
 * byte of its UTF-8 becomes {@code %XX}. So a name cannot leave its folder by a slash or by dots, and has no character that ZooKeeper
 * refuses. The folders {@code 000} to {@code fff} are chosen by a hash of the name: with all resources in one folder, its listing
 * would pass the 1 MB that a client accepts, and the names of a session could not be asked for in parts.
 */
final class Layout {

    /** The version that this code reads and writes. */
    static final int FORMAT = 1;

    private static final char[] HEX = "0123456789abcdef".toCharArray();
    private static final int FOLDERS = 0x1000;
    private static final Pattern MUTEX_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*");

    private final String root;
    private final @Nullable String mutexes;

    Layout(String root) {
        this(root, null);
    }

    /** @param mutexes the folder that has the locks, each where Curator's mutex of that name is; null if they are below the root */
    Layout(String root, @Nullable String mutexes) {
        this.root = root;
        this.mutexes = mutexes;
    }

    String root() {
        return root;
    }

    String format() {
        return root + "/format";
    }

    String id() {
        return root + "/id";
    }

    String keepers() {
        return root + "/keepers";
    }

    String queues() {
        return root + "/queues";
    }

    String released() {
        return root + "/released";
    }

    String sizes() {
        return root + "/sizes";
    }

    String latches() {
        return root + "/latches";
    }

    /** The folder of the claims on a resource. */
    String queue(Resource resource) {
        return isMutex(resource) ? mutexes + "/" + resource.name() : in(queues(), resource);
    }

    private boolean isMutex(Resource resource) {
        return mutexes != null && resource.family().equals(Family.LOCK);
    }

    /** The folder of the locks that are shared with Curator; null if there is none. */
    @Nullable
    String mutexes() {
        return mutexes;
    }

    /** What the names of the claims on a resource have before their number. */
    String label(Resource resource) {
        return isMutex(resource) ? NodeName.MUTEX : "";
    }

    /** Why a resource cannot be here; null if it can. */
    @Nullable
    String refusal(Resource resource) {
        if (!isMutex(resource) || MUTEX_NAME.matcher(resource.name()).matches()) {
            return null;
        }
        return "The name of the " + resource + " cannot be that of a node below " + mutexes
                + ", where this store shares its locks with Curator; use letters, digits, '_', '-' and, but not first, '.'";
    }

    String size(Resource semaphore) {
        return in(sizes(), semaphore);
    }

    String latch(Resource latch) {
        return in(latches(), latch);
    }

    private static String in(String place, Resource resource) {
        return place + "/" + folder(resource) + "/" + segment(resource);
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The folder that a hash chooses; the hash of a text is the same in every JVM. */
    static String folder(Resource resource) {
        int hash = resource.name().hashCode() * 0x9E3779B9;
        int number = (hash >>> 20) % FOLDERS;
        return "" + HEX[number >> 8] + HEX[(number >> 4) & 15] + HEX[number & 15];
    }

    /** Where to ask for the names of a session, if they have this many bytes: the beginnings of their paths. */
    List<String> parts(long bytes) {
        int digits = 0;
        for (long part = bytes; part > ZookeeperPolicy.PART && digits < 3; part /= 16) {
            digits++;
        }
        List<String> parts = new ArrayList<>();
        if (mutexes != null) {
            parts.add(mutexes + "/");
        }
        for (int i = 0; i < 1 << (4 * digits); i++) {
            StringBuilder part = new StringBuilder(queues()).append(digits == 0 ? "" : "/");
            for (int digit = digits - 1; digit >= 0; digit--) {
                part.append(HEX[(i >> (4 * digit)) & 15]);
            }
            parts.add(part.toString());
        }
        return parts;
    }

    private static String segment(Resource resource) {
        return resource.family().key() + '.' + PathText.encode(resource.name(), "_-");
    }

    /** The resource whose folder has that name; null if it is none of ours. */
    static @Nullable Resource resource(String segment) {
        int dot = segment.lastIndexOf('.');
        if (dot < 1) {
            return null;
        }
        try {
            return new Resource(new Family(segment.substring(0, dot)), PathText.decode(segment.substring(dot + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            return null;
        }
    }

    /** The resource of a claim's node; null if it is none of ours. */
    @Nullable
    Resource resourceOf(String claimPath) {
        if (claimPath.startsWith(queues() + "/")) {
            return resource(name(parent(claimPath)));
        }
        return mutexes != null && claimPath.startsWith(mutexes + "/") ? Resource.lock(name(parent(claimPath))) : null;
    }
}
