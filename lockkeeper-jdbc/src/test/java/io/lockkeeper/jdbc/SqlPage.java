package io.lockkeeper.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What {@code docs/sql.md} tells administrators to do; the tests do that and nothing else. */
final class SqlPage {

    private static final String TEXT = read();

    private SqlPage() {}

    private static String read() {
        try {
            return Files.readString(Path.of("..", "docs", "sql.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The statements that give the user {@code app} its rights, for tables of these names. */
    static List<String> grants(Dialect dialect) {
        String begin = dialect.name().equals("PostgreSQL") ? "On PostgreSQL:" : "On MySQL and MariaDB:";
        List<String> grants =
                block("### The rights it needs", begin, "sql").lines().toList();
        if (grants.isEmpty() || !grants.stream().allMatch(line -> line.matches("GRANT .* TO .*;"))) {
            throw new IllegalStateException("docs/sql.md has no GRANT for " + dialect.name() + " but " + grants);
        }
        return grants.stream()
                .map(line -> line.replaceAll("(app\\.)?\\blockkeeper_lock\\b", dialect.lock())
                        .replaceAll("(app\\.)?\\blockkeeper_latch\\b", dialect.latch())
                        .replace(";", ""))
                .toList();
    }

    /** The change set for Liquibase, which runs this script. */
    static String changeSet(String script) {
        return block("**Liquibase**", "", "xml").replace("postgresql.sql", script);
    }

    /** The name of the file to which the script is copied for Flyway. */
    static String migration() {
        String text = after(TEXT, "**Flyway**");
        return text.substring(text.indexOf("`db/migration/") + 1, text.indexOf("`.", text.indexOf("`db/migration/")));
    }

    private static String block(String section, String begin, String language) {
        String text = after(after(after(TEXT, section), begin), "```" + language + "\n");
        return text.substring(0, text.indexOf("```"));
    }

    private static String after(String text, String mark) {
        int at = text.indexOf(mark);
        if (at < 0) {
            throw new IllegalStateException("docs/sql.md has no '" + mark + "'");
        }
        return text.substring(at + mark.length());
    }
}
