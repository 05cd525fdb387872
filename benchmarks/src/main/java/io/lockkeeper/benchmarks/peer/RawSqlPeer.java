package io.lockkeeper.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;

/** The floor on SQL, over HikariCP: an update of a row that has expired, and one that ends it, a commit each; polled every millisecond. */
final class RawSqlPeer implements Peer {

    static final Library LIBRARY = new Library(
            "raw-sql", "raw SQL", "postgresql", "org.postgresql:postgresql", Set.of(Feature.LOCK), RawSqlPeer::new);

    private static final String INSERT =
            "INSERT INTO raw_lock (name, expires_at) VALUES (?, '-infinity') ON CONFLICT DO NOTHING";
    private static final String ACQUIRE = "UPDATE raw_lock SET owner = ?, expires_at = clock_timestamp() + interval '"
            + LEASE_MILLIS + " milliseconds' WHERE name = ? AND expires_at < clock_timestamp()";
    private static final String RELEASE =
            "UPDATE raw_lock SET owner = NULL, expires_at = '-infinity' WHERE owner = ? AND name = ?";

    private final HikariDataSource pool;

    private RawSqlPeer(String url) {
        pool = Pool.at(url);
    }

    private int update(String sql, String... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    @Override
    public Mutex lock(String name) {
        try {
            update(INSERT, name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new Mutex() {
            private String owner = "";

            @Override
            public long acquire() throws SQLException {
                owner = UUID.randomUUID().toString();
                while (update(ACQUIRE, owner, name) == 0) {
                    CompareAndDelete.pause();
                }
                return 0;
            }

            @Override
            public void release() throws SQLException {
                CompareAndDelete.check((long) update(RELEASE, owner, name));
            }
        };
    }

    @Override
    public boolean tryOnce(String name) throws SQLException {
        return update(ACQUIRE, UUID.randomUUID().toString(), name) > 0;
    }

    @Override
    public void close() {
        pool.close();
    }
}
