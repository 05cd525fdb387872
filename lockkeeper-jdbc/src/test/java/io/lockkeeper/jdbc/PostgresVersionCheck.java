package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The server of the profile {@code postgres14} is the one that it is meant to be; otherwise its run would prove nothing. */
final class PostgresVersionCheck {

    @Test
    void itIsTheOldestThatIsSupported() {
        assertThat(Databases.postgres().admin().value("SHOW server_version")).startsWith("14.");
    }
}
