package io.lockkeeper.testkit.etcd;

import java.io.IOException;

/** Starts a server, tells its process, and stays. */
final class ServerProgram {

    private ServerProgram() {}

    public static void main(String[] args) throws IOException {
        EtcdServer server = EtcdServer.start();
        System.out.println(server.pid());
        int end = System.in.read();
        server.close();
        System.exit(end);
    }
}
