package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.zookeeper.ZookeeperServer;

/** The server that the tests of one JVM share; it ends with the JVM. */
final class Servers {

    private static final class Shared {
        static final ZookeeperServer SERVER = ZookeeperServer.start();
    }

    private Servers() {}

    static ZookeeperServer shared() {
        return Shared.SERVER;
    }
}
