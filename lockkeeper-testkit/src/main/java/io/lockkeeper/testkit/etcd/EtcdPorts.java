package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.Ports;

/** The ports of a server: for clients, for the other servers, and for what it counts. */
record EtcdPorts(int client, int peer, int metrics) {

    /** Three that are free now. */
    static EtcdPorts free() {
        int client = Ports.free();
        int peer = Ports.free();
        int metrics = Ports.free();
        return client == peer || peer == metrics || client == metrics ? free() : new EtcdPorts(client, peer, metrics);
    }
}
