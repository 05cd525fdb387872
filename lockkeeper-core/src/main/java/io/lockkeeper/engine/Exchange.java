package io.lockkeeper.engine;

import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Moment;

/**
 * A grant that goes back together with an attempt for those who wait here: one request, two claims, two fates.
 *
 * <p><b>Invariant.</b> Each of the two claims is settled by its own answer alone, as if it had been sent by itself: the
 * released one is released again until that is answered, the asked one is asked again under the same id or ended.
 *
 * <p>What would break it:
 *
 * <ul>
 *   <li>No answer to the pair, and the release is taken for done: the store keeps the old grant for its whole lease, for
 *       nobody. Or the attempt is taken for undone: if all who waited leave then, what it was granted is nobody's.
 *   <li>The connection breaks between the two, so that the release is answered: that says nothing about the attempt, which
 *       may have been granted.
 *   <li>The release is not answered and the attempt is: that it was granted counts, whatever became of the release.
 *   <li>All who waited have left meanwhile: what is granted goes back.
 *   <li>The pair arrives late, when its attempt was given up long ago: the end of that claim has left a tombstone.
 *   <li>The lease counted from when the answer came: it began when the store executed the pair, at the earliest when that
 *       was sent.
 *   <li>A store that grants the attempt before those who were in its queue already: the others would never be served, for
 *       whoever releases would ask first for his own.
 * </ul>
 *
 * <p>That the release is executed before the attempt is not part of it: in the other order the attempt gets a place in the
 * queue, and the release wakes whoever is first there.
 */
final class Exchange {

    private Exchange() {}

    /** @param along what was sent along with the release */
    static void told(ResourceEngine engine, Moment now, Grant grant, Step.Attempt along, Moment sentAt, Exchanged got) {
        RuntimeException attemptFailure = got.attemptFailure();
        if (got.answer() == null && attemptFailure == null) {
            // Before the release, which wakes whoever is to ask now.
            engine.unsent(along.pending());
        }
        RuntimeException releaseFailure = got.releaseFailure();
        if (releaseFailure == null) {
            engine.released(grant);
        } else {
            engine.releaseFailed(now, grant, releaseFailure);
        }
        if (got.answer() != null) {
            engine.answered(now, along.pending(), along.claim(), sentAt, got.answer());
        } else if (attemptFailure != null) {
            engine.failed(now, along.pending(), attemptFailure);
        }
    }
}
