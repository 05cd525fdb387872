package io.lockkeeper.testkit.sql;

import java.nio.file.Path;
import java.util.UUID;

/**
 * Fresh databases of H2 and SQLite, which live in this JVM. The artifacts {@code com.h2database:h2} and
 * {@code org.xerial:sqlite-jdbc} must be on the class path.
 */
public final class EmbeddedDatabases {

    private EmbeddedDatabases() {}

    /** A database of H2 in memory that lives as long as this JVM, whether or not somebody is connected. */
    public static SqlDatabase h2InMemory() {
        return new SqlDatabase("jdbc:h2:mem:" + name() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    /**
     * A database of H2 in a file of the folder. It is open in one process while somebody is connected, and closed when nobody
     * is.
     */
    public static SqlDatabase h2File(Path folder) {
        return new SqlDatabase("jdbc:h2:file:" + folder.toAbsolutePath().resolve(name()), "sa", "");
    }

    /**
     * A database of SQLite in a file of the folder, with the journal that most applications use: readers do not wait for the
     * writer. A writer waits for another for up to {@code busy} milliseconds.
     */
    public static SqlDatabase sqlite(Path folder, int busy) {
        Path file = folder.toAbsolutePath().resolve(name() + ".sqlite");
        return new SqlDatabase("jdbc:sqlite:" + file + "?journal_mode=WAL&busy_timeout=" + busy, "", "");
    }

    /** A database of SQLite as its driver opens it: one journal that readers wait for, and a timeout of three seconds. */
    public static SqlDatabase sqlite(Path folder) {
        return new SqlDatabase("jdbc:sqlite:" + folder.toAbsolutePath().resolve(name() + ".sqlite"), "", "");
    }

    private static String name() {
        return "db_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    }
}
