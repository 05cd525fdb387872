package io.lockkeeper.faults.history;

import java.util.List;

/**
 * A client process.
 *
 * @param stops when it was stopped and went on
 */
public record Life(String client, End end, List<Span> stops) {

    public enum End {
        /** It was killed, as a fault. */
        KILLED,
        /** It was told to end when the run was over, and did. */
        ORDERLY,
        /** It was told to end and did not. */
        HUNG,
        /** It ended by itself, which none should. */
        DIED
    }

    public Life {
        stops = List.copyOf(stops);
    }

    public record Span(long from, long to) {

        public boolean meets(long otherFrom, long otherTo) {
            return from <= otherTo && otherFrom <= to;
        }
    }
}
