package io.lockkeeper.redis.client;

/**
 * The name that connections give themselves, so that {@code CLIENT LIST} shows which keeper a connection belongs to. Where the
 * server is too old for it or does not allow it, the name is not sent again.
 */
final class ClientName {

    private static final int LONGEST = 64;

    private volatile String name = "lockkeeper";
    private volatile boolean nameRefused;
    private volatile boolean libraryRefused;

    /** Sets the name of connections that are opened from now on. */
    void set(String id) {
        // Redis takes printable characters without spaces only.
        String shown = id.replaceAll("[^!-~]", "_");
        name = "lockkeeper:" + (shown.length() > LONGEST ? shown.substring(0, LONGEST) : shown);
    }

    /** Sends the commands on a new connection; {@link #readReplies} must read their replies. */
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

    /** Which commands were sent on one connection. */
    record Sent(boolean named, boolean library) {}
}
