package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/sql.md says of connections, settings and the view is so. */
@Timeout(60)
final class SqlPageTest {

    private static final String VIEW = "lockkeeper_resource_lock";

    @Test
    void theApplicationsOwnConnectionsAreEnough() throws Exception {
        SqlDatabase database = EmbeddedDatabases.h2InMemory();
        SqlSnippets.own(database.dataSource());
        assertThat(database.number("SELECT COUNT(*) FROM \"lockkeeper_lock\"")).isPositive();
    }

    @Test
    void theViewShowsWhatIsHeldInTheShapeOfTutorials() throws Exception {
        assertThat(Files.readString(Path.of("..", "docs", "sql.md"))).contains(VIEW);
        SqlDatabase database = EmbeddedDatabases.h2InMemory();
        String url = database.fullUrl() + ";lockkeeper.createTables=true";
        try (Lockkeeper keeper = Lockkeeper.builder().note("shop").connect(url)) {
            String view = "\"" + VIEW + "\"";
            try (ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
                assertThat(database.value("SELECT \"resource_name\" FROM " + view))
                        .isEqualTo("orders/42");
                assertThat(database.value("SELECT \"node_info\" FROM " + view))
                        .contains("shop")
                        .contains("pid " + ProcessHandle.current().pid());
                assertThat(database.number("SELECT \"token\" FROM " + view)).isEqualTo(hold.token());
                assertThat(database.number("SELECT \"count\" FROM " + view)).isEqualTo(1);
            }
            assertThat(database.number("SELECT COUNT(*) FROM " + view)).isZero();
        }
    }
}
