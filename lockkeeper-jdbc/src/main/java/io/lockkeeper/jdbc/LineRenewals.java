package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.LineFormatException;
import io.lockkeeper.line.OpenRow;
import io.lockkeeper.line.RowForm;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Renewals of grants that are in lines, for many rows at once: all rows are read by one statement, each is decided on by itself,
 * and all are written by one statement.
 *
 * <p><b>Invariant.</b> As in {@link RowSteps}, row by row: an answer is given only if its row was written in the version in which it
 * was read, or did not have to be written. Were a row counted as written because the statement succeeded, the renewal of a
 * row that another keeper changed in between would be confirmed, and end unrenewed. A row that was not written, because it has
 * changed or because another transaction has it locked, is left to the caller, to be renewed by itself.
 */
final class LineRenewals {

    /**
     * What came of a round.
     *
     * @param answers by the ids of claims; those that are missing have to be renewed row by row
     * @param read rows that were read and are not known to have changed since
     */
    record Round(Map<String, Renewal> answers, Map<Resource, Row> read) {}

    /** A decision on a row that is not written yet. */
    private record Decided(Dialect.Replacement write, Map<String, Renewal> answers, List<LeasedStore.Signal> signals) {}

    private final Dialect dialect;
    private final String keeperId;
    private final Consumer<List<LeasedStore.Signal>> inProcess;

    /** @param inProcess delivers the signals for keepers of this process, after the write */
    LineRenewals(Dialect dialect, String keeperId, Consumer<List<LeasedStore.Signal>> inProcess) {
        this.dialect = dialect;
        this.keeperId = keeperId;
        this.inProcess = inProcess;
    }

    static Map<Resource, List<Claim>> byResource(Collection<Claim> claims) {
        Map<Resource, List<Claim>> grouped = new LinkedHashMap<>();
        for (Claim claim : claims) {
            grouped.computeIfAbsent(claim.resource(), any -> new ArrayList<>()).add(claim);
        }
        return grouped;
    }

    /** Renews what can be renewed at once. */
    Round renew(Connection connection, Map<Resource, List<Claim>> held) throws SQLException {
        Map<Resource, Row> rows = dialect.read(connection, held.keySet());
        if (!dialect.replacesMany()) {
            return new Round(missing(held, rows), rows);
        }
        Map<String, Renewal> answers = missing(held, rows);
        List<LeasedStore.Signal> signals = new ArrayList<>();
        Map<Resource, Decided> undone = new LinkedHashMap<>();
        for (Map.Entry<Resource, Row> read : rows.entrySet()) {
            Resource resource = read.getKey();
            OpenRow open;
            try {
                open = read.getValue().form().open(resource);
            } catch (LineFormatException damaged) {
                // Alone, so that the others are renewed.
                continue;
            }
            List<Claim> claims = held.getOrDefault(resource, List.of());
            Map<String, Renewal> own = new HashMap<>();
            put(own, claims, open.store().renew(claims, read.getValue().now()));
            List<LeasedStore.Signal> told = open.store().drainSignals();
            RowForm changed = open.changed();
            if (changed == null) {
                answers.putAll(own);
                signals.addAll(told);
            } else {
                undone.put(
                        resource,
                        new Decided(
                                new Dialect.Replacement(
                                        resource, read.getValue().version(), changed),
                                own,
                                told));
            }
        }
        Set<Resource> written = undone.isEmpty() ? Set.of() : dialect.replaceAll(connection, writes(undone.values()));
        for (Resource resource : written) {
            Decided done = undone.get(resource);
            if (done != null) {
                answers.putAll(done.answers);
                signals.addAll(done.signals);
            }
        }
        tell(connection, signals);
        return new Round(answers, Map.of());
    }

    /** The answers about resources that have no row. */
    private static Map<String, Renewal> missing(Map<Resource, List<Claim>> held, Map<Resource, Row> rows) {
        Map<String, Renewal> answers = new HashMap<>();
        held.forEach((resource, claims) -> {
            if (!rows.containsKey(resource)) {
                LeasedStore nothing = Row.MISSING.form().open(resource).store();
                put(answers, claims, nothing.renew(claims, Row.MISSING.now()));
            }
        });
        return answers;
    }

    private static void put(Map<String, Renewal> answers, List<Claim> claims, List<Renewal> renewed) {
        for (int i = 0; i < claims.size(); i++) {
            answers.put(claims.get(i).id(), renewed.get(i));
        }
    }

    private static List<Dialect.Replacement> writes(Collection<Decided> undone) {
        return undone.stream().map(Decided::write).toList();
    }

    /** After the write: a signal is only a hint, and one that is lost costs a poll. */
    private void tell(Connection connection, List<LeasedStore.Signal> signals) throws SQLException {
        List<LeasedStore.Signal> others = signals.stream()
                .filter(signal -> !signal.keeperId().equals(keeperId))
                .toList();
        if (!others.isEmpty()) {
            dialect.tell(connection, others);
        }
        if (!signals.isEmpty()) {
            inProcess.accept(signals);
        }
    }
}
