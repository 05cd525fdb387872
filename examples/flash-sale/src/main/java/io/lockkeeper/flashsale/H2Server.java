package io.lockkeeper.flashsale;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.tools.Server;

/** A database in the memory of this process, which others on this machine reach if they know its password. */
final class H2Server implements AutoCloseable {

    static {
        // Read once, by a class of H2: on all other addresses it would listen, and refuse.
        System.setProperty("h2.bindAddress", "127.0.0.1");
    }

    private final Connection keepsItAlive;
    private final Server server;
    private final String url;

    private H2Server(Connection keepsItAlive, Server server, String url) {
        this.keepsItAlive = keepsItAlive;
        this.server = server;
        this.url = url;
    }

    static H2Server start() throws SQLException {
        // A busy machine is no reason to end a transaction.
        String database = "mem:flash_sale_" + UUID.randomUUID() + ";USER=shop;PASSWORD=" + UUID.randomUUID()
                + ";LOCK_TIMEOUT=20000";
        Connection first = DriverManager.getConnection("jdbc:h2:" + database);
        Server server = Server.createTcpServer("-tcpPort", "0").start();
        return new H2Server(first, server, "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + database);
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws SQLException {
        server.stop();
        keepsItAlive.close();
    }
}
