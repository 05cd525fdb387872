package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.shell.MajorityLocks;
import java.util.List;

/**
 * Several locks, each of another keeper and perhaps of another name, of which a majority is needed: the RedLock of other
 * libraries, made of locks instead of stores.
 *
 * <p><b>What is promised.</b> Any two majorities of the same locks have one in common, and that one has a single holder. So as
 * long as everybody uses the same locks there is one holder, and a store that is down, or forgets, costs nothing while
 * a majority is left.
 *
 * <p><b>What is not.</b> There is <em>no fencing token</em>: the tokens of single locks cannot be compared with each other, and
 * two holders in a row may have no lock in common that would order them. Where stale holders must be refused, use a quorum
 * of stores ({@code io.lockkeeper.quorum.Quorum}, {@code redlock://}), whose members agree on one token; it also gives members
 * no vote that have just restarted and may have forgotten a grant, which locks of single keepers do not. There is no queue:
 * a call that waits asks again after a random time of up to 200 ms, and who is next is chance. A lock that was lost or not
 * had is not taken again while it is held by majority.
 *
 * <p>All locks are asked at the same time. The call goes on as soon as a majority has granted; locks that are granted later
 * join the hold. A store that is down is waited for, up to its command limit, only if the others do not suffice.
 */
public interface MajorityLock extends Acquirable<MajorityHold>, Leased<MajorityLock> {

    /**
     * A majority of these locks as one.
     *
     * @throws IllegalArgumentException if there are fewer than three, or one stands there twice
     */
    static MajorityLock of(DistributedLock... locks) {
        given(locks, "locks");
        return MajorityLocks.of(List.of(locks));
    }
}
