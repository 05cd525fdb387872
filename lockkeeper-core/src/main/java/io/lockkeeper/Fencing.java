package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import java.util.concurrent.ConcurrentHashMap;

/**
 * A guard beside the data that checks fencing tokens: it admits a write only if no later holder has written.
 *
 * <p>A guard checks the <em>pair</em> of token and hold id: it accepts a token greater than the last one it saw, or an equal
 * one of the same hold. (The usual {@code token >= last} admits two holders if a store ever repeats a token.) It must be where
 * the data is, in the same atomic step as the write; checking first and writing afterwards only narrows the gap.
 */
public interface Fencing {

    /**
     * Admits this hold, and from now on no earlier one.
     *
     * @param what the data that is guarded, such as a table row or a file
     * @throws StaleTokenException if a later hold was admitted before
     */
    void admit(String what, ExclusiveHold hold);

    /**
     * A guard for data in the memory of this process. The check is atomic, the write that follows is the caller's: do both
     * under one monitor. It keeps one entry per {@code what}, for as long as the guard lives.
     */
    static Fencing inMemory() {
        record Seen(long token, String holdId) {}
        var last = new ConcurrentHashMap<String, Seen>();
        return (what, hold) -> last.compute(given(what, "what"), (key, seen) -> {
            var now = new Seen(given(hold, "hold").token(), hold.id());
            if (seen == null || now.token() > seen.token() || now.equals(seen)) {
                return now;
            }
            throw new StaleTokenException(what, now.token(), seen.token());
        });
    }
}
