package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.OpenRow;
import io.lockkeeper.line.RowForm;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decisions by the rules of the line: a row is read, a step is taken in Java, and the result is written if the row is still the
 * same; otherwise all of it is done again.
 *
 * <p><b>Invariant.</b> What is answered was true of a row that stood in the database: nothing is answered before it was written,
 * unless there was nothing to write. Were the answer given first, two keepers could be granted the same lock.
 *
 * <p>The step counts with the clock of the moment the row was read. A write that arrives late, because its process was paused,
 * fails if anything happened to the row since; if nothing did, it says what it would have said in time.
 */
final class RowSteps {

    private static final long SHORTEST_PAUSE = JdbcPolicy.SHORTEST_PAUSE.toNanos();
    private static final long LONGEST_PAUSE = JdbcPolicy.LONGEST_PAUSE.toNanos();
    /** So many collisions are met by trying again at once. */
    private static final int AT_ONCE = 3;

    /** One step of the rules. */
    interface Step<T> {
        T on(LeasedStore store, long now);
    }

    /** What is to be done if there is no row for a resource. */
    enum IfMissing {
        /** It is made. */
        INSERT,
        /** The step is taken on a resource that is free, and nothing is written. */
        LOOK
    }

    private final Dialect dialect;
    private final Consumer<List<LeasedStore.Signal>> inProcess;
    private final String keeperId;

    /** @param inProcess delivers the signals for keepers of this process, after the write */
    RowSteps(Dialect dialect, String keeperId, Consumer<List<LeasedStore.Signal>> inProcess) {
        this.dialect = dialect;
        this.keeperId = keeperId;
        this.inProcess = inProcess;
    }

    /**
     * Takes a step on a resource.
     *
     * @param known the row, if it was just read; null if not
     */
    <T> T take(
            Connection connection,
            Deadline until,
            Resource resource,
            IfMissing ifMissing,
            @Nullable Row known,
            Step<T> step)
            throws SQLException {
        return take(connection, until, resource, ifMissing, known, Durability.AT_ONCE, step);
    }

    /** @param durability when the result has to be on disk */
    <T> T take(
            Connection connection,
            Deadline until,
            Resource resource,
            IfMissing ifMissing,
            @Nullable Row known,
            Durability durability,
            Step<T> step)
            throws SQLException {
        Row row = known;
        long pause = SHORTEST_PAUSE;
        for (int tries = 0; ; tries++) {
            if (row == null) {
                row = dialect.read(connection, resource);
            }
            if (row == null && ifMissing == IfMissing.INSERT) {
                dialect.insert(connection, resource);
                row = dialect.read(connection, resource);
            }
            if (row != null || ifMissing == IfMissing.LOOK) {
                Row found = row == null ? Row.MISSING : row;
                OpenRow open = found.form().open(resource);
                T answer = step.on(open.store(), found.now());
                List<LeasedStore.Signal> signals = open.store().drainSignals();
                RowForm changed = row == null ? null : open.changed();
                if (written(connection, resource, found.version(), changed, signals, durability)) {
                    inProcess.accept(signals);
                    return answer;
                }
                row = null;
            }
            if (until.left() < pause) {
                throw new StoreUnavailableException("The row of " + resource
                        + " was changed by others at each try until the time was over; try again later");
            }
            if (tries >= AT_ONCE) {
                Requests.pause(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        }
    }

    private boolean written(
            Connection connection,
            Resource resource,
            long version,
            @Nullable RowForm changed,
            List<LeasedStore.Signal> signals,
            Durability durability)
            throws SQLException {
        List<LeasedStore.Signal> others = signals.isEmpty()
                ? signals
                : signals.stream()
                        .filter(signal -> !signal.keeperId().equals(keeperId))
                        .toList();
        if (changed != null) {
            return dialect.replace(connection, resource, version, changed, others, durability);
        }
        if (!others.isEmpty()) {
            dialect.tell(connection, others);
        }
        return true;
    }
}
