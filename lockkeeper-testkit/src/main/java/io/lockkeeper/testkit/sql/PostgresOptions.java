package io.lockkeeper.testkit.sql;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be wished of a PostgreSQL server. Unless told otherwise it does not wait for the disk ({@code fsync} is off): what
 * was committed survives the death of its processes, not that of the machine. Nothing runs by itself that would write to the
 * log of changes, so that its growth is that of the test.
 */
public final class PostgresOptions {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path binaries;
    private @Nullable SteppedClock clock;

    PostgresOptions() {
        set("listen_addresses", "127.0.0.1");
        set("unix_socket_directories", "");
        set("fsync", "off");
        set("autovacuum", "off");
        set("wal_level", "minimal");
        set("max_wal_senders", "0");
        set("checkpoint_timeout", "1h");
        set("log_checkpoints", "off");
        set("max_connections", "300");
        set("shared_buffers", "32MB");
        // Files in the data folder, so that a killed server leaves nothing elsewhere.
        set("dynamic_shared_memory_type", "mmap");
    }

    /** Any setting of the server. */
    public PostgresOptions set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** Whether a commit waits for the disk, as in production; to measure it. */
    public PostgresOptions fsync(boolean on) {
        return set("fsync", on ? "on" : "off");
    }

    /** Another version: a jar of {@code io.zonky.test.postgres}, or the folder of an installation. */
    public PostgresOptions binaries(Path place) {
        this.binaries = place;
        return this;
    }

    /** The clock that it looks at, instead of the machine's. */
    public PostgresOptions clock(SteppedClock clock) {
        this.clock = clock;
        return this;
    }

    Path home() {
        return binaries == null ? PostgresBinaries.home() : PostgresBinaries.home(binaries);
    }

    List<String> command(Path data, int port) {
        List<String> words = new ArrayList<>(
                List.of(home().resolve("bin/postgres").toString(), "-D", data.toString(), "-p", "" + port));
        settings.forEach((name, value) -> words.addAll(List.of("-c", name + "=" + value)));
        return clock == null ? words : clock.command(words);
    }

    /** Starts it and returns when it answers. */
    public PostgresServer start() {
        return PostgresServer.start(this);
    }
}
