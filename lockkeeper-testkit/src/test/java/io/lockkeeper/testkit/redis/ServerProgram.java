package io.lockkeeper.testkit.redis;

import java.io.IOException;

/** Starts a server, tells its process, and stays. */
final class ServerProgram {

    private ServerProgram() {}

    public static void main(String[] args) throws IOException {
        RedisServer server = RedisServer.start();
        System.out.println(server.pid());
        int end = System.in.read();
        server.close();
        System.exit(end);
    }
}
