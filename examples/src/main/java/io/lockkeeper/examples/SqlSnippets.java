package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcBackend;
import javax.sql.DataSource;

/** What the documentation shows of SQL databases. */
final class SqlSnippets {

    private SqlSnippets() {}

    /** Locks over the application's own connections. */
    static void own(DataSource dataSource) throws InterruptedException {
        JdbcBackend backend = JdbcBackend.builder()
                .dataSource(dataSource)
                .createTables(true) // or run the script of the jar with your migrations
                .build();
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            System.out.println("paid under token " + hold.token());
        }
    }
}
