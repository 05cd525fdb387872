package io.lockkeeper.engine;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;

/**
 * What a waiter wants of a resource. Waiters with equal requests are interchangeable: only between them a claim is inherited
 * and a grant handed on.
 *
 * @param mode how it is wanted
 * @param lease how long a grant lasts without renewal
 * @param fixed whether it is never renewed
 * @param fair whether it has a place of its own in the store's queue
 * @param portable whether its id may be given away, so that nobody else may ever use the same grant
 * @param sticky how long the grant is kept here after its last release unless another keeper recalls it; zero for not at all
 * @param shownAs the name that the store shows in place of a thread, such as the id of a candidate; empty for the thread that waits
 */
public record AcquireRequest(
        Mode mode, Duration lease, boolean fixed, boolean fair, boolean portable, Duration sticky, String shownAs) {

    /** One on behalf of the thread that waits. */
    public AcquireRequest(Mode mode, Duration lease, boolean fixed, boolean fair, boolean portable, Duration sticky) {
        this(mode, lease, fixed, fair, portable, sticky, "");
    }

    /** One that is not sticky. */
    public AcquireRequest(Mode mode, Duration lease, boolean fixed, boolean fair, boolean portable) {
        this(mode, lease, fixed, fair, portable, Duration.ZERO);
    }

    /** The same in another mode. */
    public AcquireRequest withMode(Mode changed) {
        return new AcquireRequest(changed, lease, fixed, fair, portable, sticky, shownAs);
    }

    /** The same with another lease. */
    public AcquireRequest withLease(Duration changed, boolean never) {
        return new AcquireRequest(mode, changed, never, fair, portable, sticky, shownAs);
    }

    /** The same on behalf of a name instead of the thread that waits. */
    public AcquireRequest withShownAs(String name) {
        return new AcquireRequest(mode, lease, fixed, fair, portable, sticky, name);
    }

    boolean isSticky() {
        return !sticky.isZero();
    }

    /** Whether an idle grant that was made for the other request is as good as one made for this. */
    boolean canTake(AcquireRequest kept) {
        return passable() && mode.equals(kept.mode) && lease.equals(kept.lease);
    }

    /** Whether a grant for this request may serve one holder after another. */
    boolean passable() {
        return !(mode instanceof Mode.Shared) && !alone();
    }

    /** Whether a grant for this request may serve several holders at once. */
    boolean shareable() {
        return mode instanceof Mode.Shared && !alone();
    }

    private boolean alone() {
        return fixed || fair || portable;
    }

    Claim.Queueing queueing() {
        return fair ? Claim.Queueing.FAIR : Claim.Queueing.PLAIN;
    }

    /** Whether two grants of one keeper exclude each other; permits are counted by the store alone. */
    static boolean exclude(Mode a, Mode b) {
        return a instanceof Mode.Exclusive || b instanceof Mode.Exclusive;
    }
}
