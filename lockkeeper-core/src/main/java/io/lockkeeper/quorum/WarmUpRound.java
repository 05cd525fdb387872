package io.lockkeeper.quorum;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A round for a claim that no member can grant, when a quorum is opened: so that the first real one does not wait for what a
 * new process does once, which is loading classes, starting threads, connecting, and sending scripts to servers. Against the
 * 50 ms of a member that was too much for one first try in ten.
 *
 * <p>It asks for two permits of one, which every store refuses without writing anything, and then renews and raises a
 * grant that does not exist. Nothing depends on how it goes.
 */
final class WarmUpRound {

    private static final System.Logger LOG = System.getLogger(WarmUpRound.class.getName());

    private static final Family FAMILY = new Family("rehearsal");

    private final Members members;
    private final Keeper keeper;

    WarmUpRound(Members members, Keeper keeper) {
        this.members = members;
        this.keeper = keeper;
    }

    /** @param complete whether all members are there; if not, the absent one is not waited for as long as for a cold one */
    void run(boolean complete) {
        Duration timeout = members.commandTimeout();
        if (!complete && members.nodeTimeout().compareTo(timeout) < 0) {
            timeout = members.nodeTimeout();
        }
        Claim claim = Claim.of(
                        keeper.id() + "rehearsal",
                        new Resource(FAMILY, "rehearsal"),
                        Mode.permits(2, 1),
                        LeaseTimes.SHORTEST_LEASE,
                        keeper.holder(),
                        timeout)
                .withFixed(true);
        try {
            ClaimVotes claimVotes = new ClaimVotes(claim, members.rules().members());
            members.run(List.of(new AttemptRound(members.rules(), claimVotes, new SplittableRandom())), timeout);
            Duration each = timeout;
            members.askAll(
                    store -> {
                        MemberStore member = StoreAbility.of(store, MemberStore.class);
                        member.uptime();
                        store.renew(List.of(claim), each);
                        return member.raise(claim, 1, each);
                    },
                    timeout);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "The rehearsal of a quorum failed, which harms nothing", e);
        }
    }
}
