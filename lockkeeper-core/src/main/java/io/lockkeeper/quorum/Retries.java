package io.lockkeeper.quorum;

import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.spi.Claim;
import java.util.function.BooleanSupplier;

/**
 * How many rounds a single try makes: a claim that never queues, as of {@code tryAcquire()}.
 *
 * <p>Three claims that come at the same moment may split five members between them, two and two and one. No claim holds it then,
 * and were each told "no" after one round, a task that is meant to run once would not run at all. So a round that met others
 * <em>and</em> was granted by some members is followed by another after a random time. If a number of attempts was set, that
 * many rounds are made whatever the reason; that is what other Redlock clients call the retry count.
 */
final class Retries {

    /** If no number was set: this many, and only while the resource is contested. */
    static final int UNSET = 0;

    private static final int WHILE_CONTESTED = 3;

    private final Members members;

    Retries(Members members) {
        this.members = members;
    }

    /** Whether a try that got nothing in this many rounds makes another. */
    boolean wants(Claim claim, AttemptRound.Decision last, int rounds) {
        if (claim.queueing() != Claim.Queueing.NEVER) {
            return false;
        }
        int set = members.attempts();
        if (last instanceof AttemptRound.Decision.Busy busy) {
            return set == UNSET ? busy.contested() && rounds < WHILE_CONTESTED : rounds < set;
        }
        return last instanceof AttemptRound.Decision.Unreachable && rounds < set;
    }

    /**
     * Waits for the back-off.
     *
     * @return false if the try was given up meanwhile: by an interrupt, its end, or that of the keeper
     */
    boolean pause(int failures, BooleanSupplier givenUp) {
        long until = now() + Math.max(0, members.backOff(failures).toNanos());
        for (long left = until - now(); left > 0; left = until - now()) {
            if (isOver(givenUp)) {
                return false;
            }
            members.clocks().park(this, now() + Math.min(left, QuorumPolicy.LONGEST_RETRY_PAUSE.toNanos()));
        }
        return !isOver(givenUp);
    }

    private boolean isOver(BooleanSupplier givenUp) {
        return givenUp.getAsBoolean()
                || members.isClosing()
                || Thread.currentThread().isInterrupted();
    }

    private long now() {
        return members.clocks().now().mono();
    }
}
