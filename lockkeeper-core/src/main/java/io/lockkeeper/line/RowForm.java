package io.lockkeeper.line;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a resource, as a row of a table keeps it: either <em>simple</em>, with at most one grant in columns, or as
 * the text of a {@link LineFormat line}.
 *
 * <p><b>Invariant.</b> Exactly one of the two says who holds the resource. While the line {@link #governs}, statements that know
 * only the columns must not match the row; otherwise one of them would grant past a queue, or a claim that a tombstone refuses. A
 * line that does not govern has nothing but reasons why grants ended, for their holders.
 *
 * @param lastToken the greatest token that was ever given
 * @param grant the grant, if the row is simple; if the line governs, its first grant, for people to look at; null if there is none
 * @param governs whether the line decides
 * @param line the text; null if there is nothing to write
 */
public record RowForm(
        long lastToken,
        @Nullable SoleGrant grant,
        boolean governs,
        @Nullable String line) {

    /**
     * Opens the row for a step.
     *
     * @throws LineFormatException if the line is damaged or of an unknown version
     */
    public OpenRow open(Resource resource) {
        Snapshot content = content(resource);
        LeasedStore store = new LeasedStore("", TokenPolicy.HYBRID_CLOCK);
        store.restore(resource, content);
        // Steps change the places and grants that they find, so what was there before is read a second time.
        return new OpenRow(resource, this, store, governs ? content(resource) : content);
    }

    private Snapshot content(Resource resource) {
        Snapshot written = line == null ? new Snapshot(0, null, null, List.of()) : LineFormat.parse(line, resource);
        LineState state = written.line();
        if (!governs) {
            state = grant == null
                    ? null
                    : new LineState(List.of(grant.stored()), List.of(), Map.of(), grant.lastToken(), "");
        }
        return new Snapshot(
                Math.max(lastToken, written.lastToken()), state, governs ? written.size() : null, written.endings());
    }

    /**
     * The content of a row as it is to be written.
     *
     * @throws LineFormatException if it is too long
     */
    static RowForm of(Snapshot snapshot, Resource resource) {
        LineState state = snapshot.line();
        boolean simple = isSimple(snapshot);
        StoredGrant first = state == null || state.grants().isEmpty()
                ? null
                : state.grants().get(0);
        // The column has the last token; it grows without the text being written again.
        Snapshot written = simple ? new Snapshot(0, null, null, snapshot.endings()) : snapshot;
        boolean nothing = simple && snapshot.endings().isEmpty();
        return new RowForm(
                snapshot.lastToken(),
                first == null ? null : SoleGrant.of(first),
                !simple,
                nothing ? null : LineFormat.write(resource, written));
    }

    /** Whether a row with this content need not be written as that one. */
    boolean says(RowForm other) {
        return lastToken == other.lastToken
                && governs == other.governs
                && Objects.equals(line, other.line)
                && (governs || Objects.equals(grant, other.grant));
    }

    private static boolean isSimple(Snapshot snapshot) {
        LineState state = snapshot.line();
        if (snapshot.size() != null) {
            return false;
        }
        if (state == null) {
            return true;
        }
        return state.places().isEmpty()
                && state.tombstones().isEmpty()
                && state.grants().size() <= 1
                && state.grants().stream()
                        .allMatch(grant -> grant.mode() instanceof Mode.Exclusive
                                && !grant.isSticky()
                                && grant.lastToken() == snapshot.lastToken());
    }
}
