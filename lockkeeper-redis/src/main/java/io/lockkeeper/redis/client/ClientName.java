package io.lockkeeper.redis.client;

/**
 * What a connection tells of itself, so that {@code CLIENT LIST} shows which keeper it belongs to. A server that is too old, or does
 * not allow it, is not asked again.
 */
final class ClientName {

    private static final int LONGEST = 64;

    private volatile String name = "lockkeeper";
    private volatile boolean nameRefused;
    private volatile boolean libraryRefused;

    /** Names connections that are opened from now on. */
    void set(String id) {
        // Redis takes printable characters without spaces only.
        String shown = id.replaceAll("[^!-~]", "_");
        name = "lockkeeper:" + (shown.length() > LONGEST ? shown.substring(0, LONGEST) : shown);
    }

    /** Says what is to be said on a new connection; as many replies as {@link #said} takes are owed then. */
    Sent send(ServerConnection connection) {
        Sent sent = new Sent(!nameRefused, !libraryRefused);
        if (sent.named) {
            connection.send(new Command("CLIENT").add("SETNAME").add(name));
        }
        if (sent.library) {
            connection.send(new Command("CLIENT").add("SETINFO").add("LIB-NAME").add("lockkeeper"));
        }
        return sent;
    }

    /** Reads the replies. */
    void readReplies(Sent sent, ServerConnection connection) {
        nameRefused |= sent.named && isRefused(connection);
        libraryRefused |= sent.library && isRefused(connection);
    }

    private static boolean isRefused(ServerConnection connection) {
        try {
            connection.receive();
            return false;
        } catch (ErrorReplyException refused) {
            return true;
        }
    }

    /** What was said on one connection. */
    record Sent(boolean named, boolean library) {}
}
