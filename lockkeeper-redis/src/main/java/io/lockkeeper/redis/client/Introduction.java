package io.lockkeeper.redis.client;

/**
 * What a connection tells of itself, so that {@code CLIENT LIST} shows which keeper it belongs to. A server that is too old, or does
 * not allow it, is not asked again.
 */
final class Introduction {

    private static final int LONGEST = 64;

    private volatile String name = "lockkeeper";
    private volatile boolean nameRefused;
    private volatile boolean libraryRefused;

    /** Names connections that are opened from now on. */
    void keeper(String id) {
        // Redis takes printable characters without spaces only.
        String shown = id.replaceAll("[^!-~]", "_");
        name = "lockkeeper:" + (shown.length() > LONGEST ? shown.substring(0, LONGEST) : shown);
    }

    /** Says what is to be said on a new connection; as many replies as {@link #said} takes are owed then. */
    Saying say(Line line) {
        Saying saying = new Saying(!nameRefused, !libraryRefused);
        if (saying.named) {
            line.send(new Command("CLIENT").add("SETNAME").add(name));
        }
        if (saying.library) {
            line.send(new Command("CLIENT").add("SETINFO").add("LIB-NAME").add("lockkeeper"));
        }
        return saying;
    }

    /** Reads the replies. */
    void said(Saying saying, Line line) {
        nameRefused |= saying.named && isRefused(line);
        libraryRefused |= saying.library && isRefused(line);
    }

    private static boolean isRefused(Line line) {
        try {
            line.receive();
            return false;
        } catch (ErrorReplyException refused) {
            return true;
        }
    }

    /** What was said on one connection. */
    record Saying(boolean named, boolean library) {}
}
