package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.FaultyBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One leader per term, and word of it. */
public abstract class LeaderElectionContract extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.leaderElection(name);
    }

    /** Writes down what happens to a candidate: {@code +term} when elected, {@code -why} when deposed. */
    private static final class Diary implements LeaderElection.Listener {
        final List<String> entries = new CopyOnWriteArrayList<>();
        final List<Long> terms = new CopyOnWriteArrayList<>();

        @Override
        public void elected(ExclusiveHold leadership) {
            terms.add(leadership.token());
            entries.add("elected");
        }

        @Override
        public void deposed(@Nullable Loss loss) {
            entries.add(loss == null ? "resigned" : loss.reason().name());
        }
    }

    private static Diary diaryOf(LeaderElection election) {
        var diary = new Diary();
        election.addListener(diary);
        return diary;
    }

    private static void leads(LeaderElection election) {
        eventually("it leads", election::isLeader);
    }

    @Test
    void aLonelyCandidateIsElected() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            Diary diary = diaryOf(election);
            assertThat(election.name()).isEqualTo(name);
            assertThat(election.isLeader()).isFalse();
            assertThat(election.leadership()).isEmpty();
            assertThat(election.current()).isEmpty();
            election.join();
            leads(election);
            ExclusiveHold leadership = election.leadership().orElseThrow();
            assertThat(leadership.state()).isEqualTo(HoldState.HELD);
            eventually("its listener is told", () -> diary.entries.equals(List.of("elected")));
            assertThat(diary.terms).containsExactly(leadership.token());
            election.leave();
            assertThat(election.isLeader()).isFalse();
            assertThat(election.leadership()).isEmpty();
            eventually("its listener is told", () -> diary.entries.equals(List.of("elected", "resigned")));
            assertThat(election.current()).isEmpty();
        }
    }

    @Test
    void everybodyCanSeeWhoLeads() throws Exception {
        String name = freshName();
        Lockkeeper noted = openKeeper(builder -> builder.note("the first"));
        try (LeaderElection mine = noted.leaderElection(name);
                LeaderElection other = otherKeeper().leaderElection(name)) {
            mine.join();
            leads(mine);
            LeaderElection.Leader leader = other.current().orElseThrow();
            assertThat(leader.holder().keeper()).isEqualTo(noted.id());
            assertThat(leader.holder().note()).isEqualTo("the first");
            assertThat(leader.term()).isEqualTo(mine.leadership().orElseThrow().token());
            assertThat(get(other.currentAsync())).contains(leader);
            assertThat(mine.current()).contains(leader);
        }
    }

    @Test
    void oneLeadsPerTermAndTermsIncrease() throws Exception {
        String name = freshName();
        List<LeaderElection> candidates = new ArrayList<>();
        List<Diary> diaries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LeaderElection candidate = closing((i % 2 == 0 ? keeper() : otherKeeper()).leaderElection(name));
            diaries.add(diaryOf(candidate));
            candidates.add(candidate);
            candidate.join();
        }
        List<Long> terms = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            eventually("somebody leads", () -> candidates.stream().anyMatch(LeaderElection::isLeader));
            List<LeaderElection> leaders =
                    candidates.stream().filter(LeaderElection::isLeader).toList();
            assertThat(leaders).hasSize(1);
            terms.add(leaders.get(0).leadership().orElseThrow().token());
            leaders.get(0).leave();
        }
        assertThat(terms).isSorted().doesNotHaveDuplicates();
        for (Diary diary : diaries) {
            eventually("each led once and resigned", () -> diary.entries.equals(List.of("elected", "resigned")));
        }
        assertThat(diaries.stream().flatMap(diary -> diary.terms.stream()).sorted())
                .containsExactlyElementsOf(terms);
    }

    @Test
    void theTermThatOthersSeeIsThatOfTheLeaderAlsoWithinOneKeeper() {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = keeper().leaderElection(name);
                LeaderElection other = otherKeeper().leaderElection(name)) {
            first.join();
            leads(first);
            second.join();
            for (LeaderElection leader : List.of(first, second)) {
                leads(leader);
                long term = leader.leadership().orElseThrow().token();
                assertThat(other.current().map(LeaderElection.Leader::term)).contains(term);
                leader.leave();
            }
        }
    }

    @Test
    void whoLeavesIsFollowedByWhoStands() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name)) {
            first.join();
            leads(first);
            long term = first.leadership().orElseThrow().token();
            second.join();
            letPass(A_WHILE);
            assertThat(second.isLeader()).isFalse();
            get(first.leaveAsync());
            leads(second);
            assertThat(second.leadership().orElseThrow().token()).isGreaterThan(term);
            assertThat(first.isLeader()).isFalse();
        }
    }

    @Test
    void aKeeperThatClosesIsFollowedByAnother() {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        LeaderElection first = closing.leaderElection(name);
        Diary diary = diaryOf(first);
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
    void aLeaderThatIsCutOffIsDeposedAndFollowed() throws Exception {
        String name = freshName();
        if (!can(Capability.EXPIRES)) {
            // The store keeps it for as long as the process lives, so there is nobody to follow while it does.
            try (LeaderElection election = keeper().leaderElection(name)) {
                election.join();
                leads(election);
                outlastTheLease();
                assertThat(election.isLeader()).isTrue();
            }
            return;
        }
        FaultyBackend faulty = faulty();
        Lockkeeper cutOff = openKeeper(faulty, builder -> builder.lease(lease()));
        LeaderElection first = cutOff.leaderElection(name);
        Diary diary = diaryOf(first);
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

    @Test
    void aLeaderDeposedByForceStandsAgain() {
        String name = freshName();
        Resource resource = new Resource(Family.ELECTION, name);
        if (!can(Capability.FORCE_RELEASE)) {
            assertNotOffered(Capability.FORCE_RELEASE, () -> keeper().forceRelease(resource));
            return;
        }
        Lockkeeper keeper = openKeeper(builder -> builder.lease(lease()));
        try (LeaderElection election = keeper.leaderElection(name)) {
            Diary diary = diaryOf(election);
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
    void whoLeavesWhileStandingIsNeverElected() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name);
                LeaderElection third = otherKeeper().leaderElection(name)) {
            first.join();
            leads(first);
            Diary diary = diaryOf(second);
            second.join();
            letPass(A_WHILE);
            second.leave();
            third.join();
            first.leave();
            leads(third);
            assertThat(second.isLeader()).isFalse();
            assertThat(diary.entries).isEmpty();
        }
        eventually(
                "nobody is left",
                () -> keeper().inspect(new Resource(Family.ELECTION, name)).isEmpty());
    }

    @Test
    void oneCanJoinAgainAndJoiningTwiceIsJoiningOnce() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            Diary diary = diaryOf(election);
            election.leave();
            long last = 0;
            for (int round = 0; round < 3; round++) {
                election.join();
                election.join();
                leads(election);
                long term = election.leadership().orElseThrow().token();
                assertThat(term).isGreaterThan(last);
                last = term;
                election.leave();
                election.leave();
                assertThat(election.isLeader()).isFalse();
            }
            eventually(
                    "all is told in order",
                    () -> diary.entries.equals(
                            List.of("elected", "resigned", "elected", "resigned", "elected", "resigned")));
            assertThat(election.current()).isEqualTo(Optional.empty());
        }
    }

    @Test
    void listenersThatThrowOrAreRemovedHarmNobody() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            election.addListener(new LeaderElection.Listener() {
                @Override
                public void elected(ExclusiveHold leadership) {
                    throw new IllegalStateException("as the test wants it");
                }

                @Override
                public void deposed(@Nullable Loss loss) {
                    throw new IllegalStateException("as the test wants it");
                }
            });
            Diary diary = diaryOf(election);
            var removed = new Diary();
            Registration registration = election.addListener(removed);
            registration.close();
            election.join();
            leads(election);
            election.leave();
            eventually("the others are told", () -> diary.entries.equals(List.of("elected", "resigned")));
            assertThat(removed.entries).isEmpty();
        }
    }

    @Test
    void aLockOfTheSameNameIsSomethingElse() throws Exception {
        String name = freshName();
        try (ExclusiveHold lock = keeper().lock(name).acquire();
                LeaderElection election = otherKeeper().leaderElection(name)) {
            election.join();
            leads(election);
            assertThat(lock.state()).isEqualTo(HoldState.HELD);
        }
    }
}
