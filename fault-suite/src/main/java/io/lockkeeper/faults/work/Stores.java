package io.lockkeeper.faults.work;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.redis.RedisBackend;
import java.time.Duration;

/** Keepers by URL. */
public final class Stores {

    private static final String REDLOCK = "redlock://";

    private Stores() {}

    /**
     * The settings of a quorum that a URL can not carry are those that suit servers which were started a moment ago: a
     * member that is younger than the longest lease has no vote.
     */
    public static Lockkeeper connect(String url, Duration lease, String note) {
        LockkeeperBuilder keeper = Lockkeeper.builder().lease(lease).note(note);
        if (!url.startsWith(REDLOCK)) {
            return keeper.connect(url);
        }
        QuorumBuilder quorum = Quorum.builder().longestLease(lease);
        for (String address : url.substring(REDLOCK.length()).split(",")) {
            quorum.member(RedisBackend.at("redis://" + address));
        }
        return keeper.open(quorum.build());
    }
}
