package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.shell.MajorityLocks;
import java.util.List;

/**
 * Several locks, each of another keeper and possibly with another name, of which a majority must be held: what other libraries
 * call RedLock, made of locks instead of stores.
 *
 * <p><b>What is promised.</b> Any two majorities of the same locks have one in common, and that one has a single holder. So as
 * long as everybody uses the same locks there is one holder, and a store that is down, or that has lost its data, costs nothing
 * while a majority is left.
 *
 * <p><b>What is not promised.</b> There is <em>no fencing token</em>: the tokens of single locks cannot be compared with each
 * other, and two holders in a row may have no lock in common that would order them. Where stale holders must be rejected, use a
 * quorum of stores ({@code io.lockkeeper.quorum.Quorum}, {@code redlock://}), whose members agree on one token; it also gives
 * no vote to members that have just restarted and may have forgotten a grant, which locks of single keepers do not. There is no
 * queue: a waiting call retries after a random time of up to 200 ms, and which waiter is next is a matter of chance. A lock
 * that was lost, or not granted at first, is not acquired again while the majority is held.
 *
 * <p>All locks are requested at the same time. The call returns as soon as a majority has been granted; locks that are granted
 * later join the hold. A store that is down is waited for, up to its command timeout, only if the others do not suffice.
 */
public interface MajorityLock extends Acquirable<MajorityHold>, Leased<MajorityLock> {

    /**
     * A majority of these locks as one.
     *
     * @throws IllegalArgumentException if there are fewer than three, or if one is named twice
     */
    static MajorityLock of(DistributedLock... locks) {
        given(locks, "locks");
        return MajorityLocks.of(List.of(locks));
    }
}
