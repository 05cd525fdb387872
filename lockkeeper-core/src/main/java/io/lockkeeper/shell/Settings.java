package io.lockkeeper.shell;

import io.lockkeeper.HandOff;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Leaks;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a keeper was told to do differently; an immutable snapshot. */
public record Settings(
        Duration lease,
        Duration commandTimeout,
        HandOff handOff,
        Leaks leaks,
        String note,
        Clocks clocks,
        @Nullable Executor callbacks,
        @Nullable KeeperListener listener,
        @Nullable Supplier<String> claimIds,
        boolean lazy) {

    public static final Settings DEFAULT = new Settings(
            KeeperPolicy.LEASE,
            KeeperPolicy.COMMAND_TIMEOUT,
            HandOff.DEFAULT,
            Leaks.RELEASE,
            "",
            Clocks.system(),
            null,
            null,
            null,
            false);

    public Settings {
        LeaseRules.check(lease);
        if (commandTimeout.compareTo(KeeperPolicy.SHORTEST_COMMAND_TIMEOUT) < 0) {
            throw new IllegalArgumentException("A command timeout of " + Durations.text(commandTimeout)
                    + " is too short; give a request at least 1ms");
        }
        if (note.length() > 100) {
            throw new IllegalArgumentException("The note '" + note.substring(0, 20) + "…' has " + note.length()
                    + " characters; at most 100 are allowed");
        }
    }

    public Settings withLease(Duration value) {
        return new Settings(value, commandTimeout, handOff, leaks, note, clocks, callbacks, listener, claimIds, lazy);
    }

    public Settings withCommandTimeout(Duration value) {
        return new Settings(lease, value, handOff, leaks, note, clocks, callbacks, listener, claimIds, lazy);
    }

    public Settings withHandOff(HandOff value) {
        return new Settings(lease, commandTimeout, value, leaks, note, clocks, callbacks, listener, claimIds, lazy);
    }

    public Settings withLeaks(Leaks value) {
        return new Settings(lease, commandTimeout, handOff, value, note, clocks, callbacks, listener, claimIds, lazy);
    }

    public Settings withNote(String value) {
        return new Settings(lease, commandTimeout, handOff, leaks, value, clocks, callbacks, listener, claimIds, lazy);
    }

    public Settings withClocks(Clocks value) {
        return new Settings(lease, commandTimeout, handOff, leaks, note, value, callbacks, listener, claimIds, lazy);
    }

    public Settings withCallbacks(Executor value) {
        return new Settings(lease, commandTimeout, handOff, leaks, note, clocks, value, listener, claimIds, lazy);
    }

    public Settings withListener(KeeperListener value) {
        return new Settings(lease, commandTimeout, handOff, leaks, note, clocks, callbacks, value, claimIds, lazy);
    }

    public Settings withClaimIds(Supplier<String> value) {
        return new Settings(lease, commandTimeout, handOff, leaks, note, clocks, callbacks, listener, value, lazy);
    }

    public Settings withLazy() {
        return new Settings(lease, commandTimeout, handOff, leaks, note, clocks, callbacks, listener, claimIds, true);
    }
}
