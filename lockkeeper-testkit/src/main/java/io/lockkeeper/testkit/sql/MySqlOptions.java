package io.lockkeeper.testkit.sql;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be wished of a MySQL server. Unless told otherwise it does not wait for the disk: what was committed survives the
 * death of its process, not that of the machine.
 */
public final class MySqlOptions {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path binaries;
    private @Nullable SteppedClock clock;

    MySqlOptions() {
        set("bind-address", "127.0.0.1");
        set("mysqlx", "OFF");
        set("skip-name-resolve", "ON");
        set("innodb-buffer-pool-size", "32M");
        set("max-connections", "300");
        fsync(false);
    }

    /** Any setting of the server. */
    public MySqlOptions set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** Whether a commit waits for the disk, as in production; to measure it. */
    public MySqlOptions fsync(boolean on) {
        return set("innodb-flush-log-at-trx-commit", on ? "1" : "2");
    }

    /** Another version: the folder of an installation. */
    public MySqlOptions binaries(Path place) {
        this.binaries = place;
        return this;
    }

    /** The clock that it looks at, instead of the machine's. */
    public MySqlOptions clock(SteppedClock clock) {
        this.clock = clock;
        return this;
    }

    MySqlHome home() {
        return binaries == null ? MySqlHome.chosen() : MySqlHome.of(binaries);
    }

    List<String> command(Path data, int port) {
        List<String> words = new ArrayList<>(home().command(data));
        words.add("--port=" + port);
        // It insists on one.
        words.add("--socket=" + data.resolve("socket"));
        settings.forEach((name, value) -> words.add("--" + name + "=" + value));
        return clock == null ? words : clock.command(words);
    }

    /** Starts it and returns when it answers. */
    public MySqlServer start() {
        return MySqlServer.start(this);
    }
}
