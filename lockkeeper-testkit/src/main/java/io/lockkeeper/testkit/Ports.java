package io.lockkeeper.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address.
 *
 * <p>They lie below the range from which systems take the local ports of outgoing connections. A port of that range that is
 * free because its server was just killed may be some connection's own a moment later, and the server cannot come back.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    private static final int END = 22_000;
    private static final int TRIES = 1_000;

    private Ports() {}

    /** A port on which nobody listens now. Somebody else may take it before the caller does: try again with another then. */
    public static int free() {
        return freeWith(0);
    }

    /** A port that is free together with the one that is so much higher. */
    public static int freeWith(int distance) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port) && (distance == 0 || isFree(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("No port between " + FIRST + " and " + END + " is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
