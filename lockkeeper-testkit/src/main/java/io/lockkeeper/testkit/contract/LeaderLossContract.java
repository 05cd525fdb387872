package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leaders that do not leave by themselves, and who follows them. */
public abstract class LeaderLossContract extends PrimitiveContract {
    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.leaderElection(name);
    }

    @Test
    void aKeeperThatClosesIsFollowedByAnother() {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        LeaderElection first = closing.leaderElection(name);
        Diary diary = Diary.of(first);
        first.join();
        leads(first);
        try (LeaderElection second = otherKeeper().leaderElection(name)) {
            second.join();
            closing.close();
            leads(second);
            assertThat(first.isLeader()).isFalse();
            assertThat(first.leadership()).isEmpty();
            eventually("the first is deposed once", () -> diary.entries.size() == 2);
            first.close();
            assertThatThrownBy(first::join).isInstanceOf(KeeperClosedException.class);
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aLeaderThatIsCutOffIsDeposedAndFollowed() throws Exception {
        if (!can(Capability.EXPIRES)) {
            String name = freshName();
            // The store keeps it for as long as the process lives, so there is nobody to follow while it does.
            try (LeaderElection election = keeper().leaderElection(name)) {
                election.join();
                leads(election);
                outlastTheLease();
                assertThat(election.isLeader()).isTrue();
            }
            return;
        }
        aLeaderIsCutOff(lease());
    }

    private void aLeaderIsCutOff(Duration lease) {
        String name = freshName();
        FaultyBackend faulty = faulty();
        Lockkeeper cutOff = openKeeper(faulty, builder -> builder.lease(lease));
        LeaderElection first = cutOff.leaderElection(name);
        Diary diary = Diary.of(first);
        first.join();
        leads(first);
        ExclusiveHold leadership = first.leadership().orElseThrow();
        try (LeaderElection second = otherKeeper().leaderElection(name)) {
            second.join();
            faulty.network().cut();
            leads(second);
            assertThat(first.isLeader()).isFalse();
            assertThat(leadership.state()).isEqualTo(HoldState.LOST);
            assertThat(second.leadership().orElseThrow().token()).isGreaterThan(leadership.token());
            eventually("the first is told", () -> diary.entries.equals(List.of("elected", "EXPIRED")));
            faulty.network().heal();
            second.leave();
            leads(first);
            eventually("it stands again", () -> diary.entries.equals(List.of("elected", "EXPIRED", "elected")));
            assertThat(diary.terms).isSorted().doesNotHaveDuplicates();
            first.leave();
        }
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    @AboutTime
    void aLeaderDeposedByForceStandsAgain() {
        String name = freshName();
        Resource resource = new Resource(Family.ELECTION, name);
        // A third of it is soon, all of it is later than a machine stalls: else it would be lost by its deadline.
        Lockkeeper keeper = openKeeper(builder -> builder.lease(lease().multipliedBy(4)));
        try (LeaderElection election = keeper.leaderElection(name)) {
            Diary diary = Diary.of(election);
            election.join();
            leads(election);
            assertThat(otherKeeper().forceRelease(resource)).isTrue();
            eventually("it was deposed and elected again", () -> diary.entries.size() == 3);
            assertThat(diary.entries.get(1)).isIn("FORCED", "TAKEN");
            assertThat(diary.terms).hasSize(2).isSorted().doesNotHaveDuplicates();
            leads(election);
        }
    }

    @Test
    void aCandidateThatJoinedStaysThoughNobodyRefersToItAnyMore() {
        String name = freshName();
        Lockkeeper keeper = openKeeper();
        Diary diary = joinAndForget(keeper, name);
        eventually("it is elected", () -> diary.entries.equals(List.of("elected")));
        for (int i = 0; i < 4; i++) {
            Garbage.collect();
            letPass(Duration.ofMillis(100));
        }
        assertThat(diary.entries).containsExactly("elected");
        if (can(Capability.HOLDERS)) {
            assertThat(otherKeeper().leaderElection(name).current().map(LeaderElection.Leader::term))
                    .contains(diary.terms.get(0));
        }
        keeper.close();
        eventually("it ends with its keeper", () -> diary.entries.equals(List.of("elected", "KEEPER_CLOSED")));
    }

    // A wake-up that is lost costs a poll, never an election.
    @Test
    void withoutSignalsTheNextIsElectedAllTheSame() {
        String name = freshName();
        FaultyBackend deaf = faulty();
        Lockkeeper waiting = openKeeper(deaf);
        deaf.network().dropSignals(true);
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = waiting.leaderElection(name)) {
            first.join();
            leads(first);
            second.join();
            eventually("it asks", () -> deaf.network().calls(Call.ATTEMPT) > 0);
            first.leave();
            leads(second);
        }
    }

    @Test
    void whoStandsOutlivesAStoreThatIsSilentForAWhile() {
        String name = freshName();
        FaultyBackend faulty = faulty();
        Lockkeeper cutOff = openKeeper(faulty);
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = cutOff.leaderElection(name)) {
            Diary diary = Diary.of(second);
            first.join();
            leads(first);
            second.join();
            eventually("it asks", () -> faulty.network().calls(Call.ATTEMPT) > 0);
            faulty.network().cut();
            long before = faulty.network().calls(Call.ATTEMPT);
            eventually("its request fails", () -> faulty.network().calls(Call.ATTEMPT) > before);
            first.leave();
            faulty.network().heal();
            leads(second);
            eventually("it was elected once", () -> diary.entries.equals(List.of("elected")));
        }
    }

    private static Diary joinAndForget(Lockkeeper keeper, String name) {
        LeaderElection election = keeper.leaderElection(name);
        Diary diary = Diary.of(election);
        election.join();
        return diary;
    }
}
