package io.lockkeeper.etcd;

import io.lockkeeper.testkit.etcd.EtcdServer;

/** The server that the tests of one JVM share; it ends with the JVM. */
final class Servers {

    private static final class Shared {
        static final EtcdServer SERVER = EtcdServer.start();
    }

    private Servers() {}

    static EtcdServer shared() {
        return Shared.SERVER;
    }
}
