package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Release;

/**
 * When a write is on disk: before it is answered, or soon after.
 *
 * <p><b>Invariant.</b> Whatever a keeper counts on is on disk before the keeper hears of it: each grant, each renewal, each token.
 * Only the end of a claim may be on disk later. If the server crashes in between, it has forgotten the release, and the lock is
 * held for nobody until its lease ends, which nobody renews. So that is allowed only for leases that end soon.
 *
 * <p>What would break it:
 *
 * <ul>
 *   <li>A grant or a renewal that is answered and then forgotten: another keeper is granted the lock while the first one counts
 *       on it.
 *   <li>A release that is forgotten while the grant that followed it is not: then two claims would hold. It cannot happen,
 *       since a server writes its log in order: the next grant waits until all of the log before it is on disk, and on the
 *       replicas for which a commit has to wait.
 *   <li>A release that leaves a tombstone: forgotten, a request that is still under way would be granted to nobody. Such a
 *       release waits for the disk, and so does one by force, which people rely on.
 *   <li>Tokens: a release writes none.
 * </ul>
 */
enum Durability {
    /** The answer comes when the write is on disk, if the database is set so. */
    AT_ONCE,
    /** The answer does not wait for that. Databases that cannot do this for a single statement wait all the same. */
    SOON;

    /** What a release needs. */
    static Durability of(Release release) {
        return release.unanswered() || release.lease().compareTo(JdbcPolicy.LONGEST_FORGOTTEN) > 0 ? AT_ONCE : SOON;
    }
}
