package io.lockkeeper.spring;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What annotations leave out, for a whole application: declare a bean of this type to change it. Settings are immutable; each method
 * that begins with {@code with} or {@code without} returns a changed copy.
 */
public final class LockkeeperSettings {

    /** Whether and how transactions are fenced. */
    private record Fence(boolean always, String table, boolean created) {}

    private static final LockkeeperSettings DEFAULTS =
            new LockkeeperSettings(Duration.ofSeconds(10), new Fence(false, "lockkeeper_fence", true), false, 8);

    private final @Nullable Duration waitFor;
    private final Fence fence;
    private final boolean tokenInLog;
    private final int orderSampling;

    private LockkeeperSettings(@Nullable Duration waitFor, Fence fence, boolean tokenInLog, int orderSampling) {
        this.waitFor = waitFor;
        this.fence = fence;
        this.tokenInLog = tokenInLog;
        this.orderSampling = orderSampling;
    }

    /** The settings of an application that has no such bean. */
    public static LockkeeperSettings defaults() {
        return DEFAULTS;
    }

    /** How long calls that throw when the lock is busy wait for it; 10 s unless set. Empty: there is no timeout. */
    public Optional<Duration> waitFor() {
        return Optional.ofNullable(waitFor);
    }

    /** Calls wait for this time; zero is a single try. */
    public LockkeeperSettings withWaitFor(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("A wait of " + time + " is negative; use zero for a single try");
        }
        return new LockkeeperSettings(time, fence, tokenInLog, orderSampling);
    }

    /** Calls wait until they have the lock. */
    public LockkeeperSettings withoutTimeout() {
        return new LockkeeperSettings(null, fence, tokenInLog, orderSampling);
    }

    /** Whether every exclusive lock fences the transactions under it, also without {@link Locked#fence}; false unless set. */
    public boolean isAlwaysFenced() {
        return fence.always;
    }

    /** Fences always, or only where the annotation says so. */
    public LockkeeperSettings withAlwaysFenced(boolean always) {
        return new LockkeeperSettings(
                waitFor, new Fence(always, fence.table, fence.created), tokenInLog, orderSampling);
    }

    /** The table of guards; {@code lockkeeper_fence} unless set. */
    public String fenceTable() {
        return fence.table;
    }

    /** Keeps the guards in this table, whose name may have a schema before it. */
    public LockkeeperSettings withFenceTable(String table) {
        Objects.requireNonNull(table, "table");
        return new LockkeeperSettings(
                waitFor, new Fence(fence.always, table, fence.created), tokenInLog, orderSampling);
    }

    /** Whether the table of guards is made when the application starts, if a lock is fenced; true unless set. */
    public boolean isFenceTableCreated() {
        return fence.created;
    }

    /** Makes the table of guards, or leaves that to migrations. */
    public LockkeeperSettings withFenceTableCreated(boolean created) {
        return new LockkeeperSettings(
                waitFor, new Fence(fence.always, fence.table, created), tokenInLog, orderSampling);
    }

    /** Whether the token of the current lock is in the MDC as {@code lockkeeper.token}; false unless set. */
    public boolean isTokenInLog() {
        return tokenInLog;
    }

    /** Puts the token into the MDC while a method runs; needs SLF4J. */
    public LockkeeperSettings withTokenInLog(boolean shown) {
        return new LockkeeperSettings(waitFor, fence, shown, orderSampling);
    }

    /** Of so many locks that are taken while another one is held, one is checked for its order; 8 unless set, 0 is none. */
    public int orderSampling() {
        return orderSampling;
    }

    /** Checks the order of one in so many; 1 is each, 0 is none. */
    public LockkeeperSettings withOrderSampling(int oneIn) {
        if (oneIn < 0) {
            throw new IllegalArgumentException("One in " + oneIn + " cannot be checked; use 0 for none, 1 for each");
        }
        return new LockkeeperSettings(waitFor, fence, tokenInLog, oneIn);
    }
}
