package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** One leader per term, and the events about it. */
public abstract class LeaderElectionContract extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.leaderElection(name);
    }

    @Test
    void aLonelyCandidateIsElected() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            Diary diary = Diary.of(election);
            assertThat(election.name()).isEqualTo(name);
            assertThat(election.isLeader()).isFalse();
            assertThat(election.leadership()).isEmpty();
            assertNobodyLeads(name);
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
            assertNobodyLeads(name);
        }
    }

    private void assertNobodyLeads(String name) {
        assertThat(keeper().inspect(new Resource(Family.ELECTION, name))).isEmpty();
        if (can(Capability.HOLDERS)) {
            assertThat(keeper().leaderElection(name).current()).isEmpty();
        }
    }

    @TestIfOffered(Capability.HOLDERS)
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
            diaries.add(Diary.of(candidate));
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

    @TestIfOffered(Capability.HOLDERS)
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
    void whoLeavesWhileStandingIsNeverElected() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name);
                LeaderElection third = otherKeeper().leaderElection(name)) {
            first.join();
            leads(first);
            Diary diary = Diary.of(second);
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
            Diary diary = Diary.of(election);
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
            assertNobodyLeads(name);
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
                public void deposed(LeaderElection.Deposed event) {
                    throw new IllegalStateException("as the test wants it");
                }
            });
            Diary diary = Diary.of(election);
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
    void leavingReturnsAfterTheListenersWereTold() throws Exception {
        for (boolean async : List.of(false, true)) {
            String name = freshName();
            try (LeaderElection election = keeper().leaderElection(name)) {
                var told = new CountDownLatch(1);
                var mayEnd = new CountDownLatch(1);
                Diary diary = Diary.of(election);
                election.addListener(new LeaderElection.Listener() {
                    @Override
                    public void elected(ExclusiveHold leadership) {}

                    @Override
                    public void deposed(LeaderElection.Deposed event) {
                        told.countDown();
                        try {
                            mayEnd.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                });
                election.join();
                leads(election);
                Task<Integer> leaving = inThread(() -> {
                    if (async) {
                        get(election.leaveAsync());
                    } else {
                        election.leave();
                    }
                    return diary.entries.size();
                });
                told.await();
                eventually(
                        "it is given back before the listeners return",
                        () -> keeper().inspect(Resource.election(name)).isEmpty());
                assertThat(leaving.isDone()).isFalse();
                mayEnd.countDown();
                assertThat(leaving.get()).as("elected and resigned").isEqualTo(2);
            }
        }
    }

    @Test
    void aListenerMayLeaveItself() throws Exception {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            List<String> order = new CopyOnWriteArrayList<>();
            election.addListener(new LeaderElection.Listener() {
                @Override
                public void elected(ExclusiveHold leadership) {
                    election.leave();
                    order.add("left");
                }

                @Override
                public void deposed(LeaderElection.Deposed event) {
                    order.add("deposed");
                }
            });
            election.join();
            eventually("told in order", () -> order.equals(List.of("left", "deposed")));
            assertThat(election.isLeader()).isFalse();
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

    @Test
    void aLeaderWhoseKeeperIsDrainedHandsOnBeforeItsHoldersFinish() throws Exception {
        String name = freshName();
        Lockkeeper drained = openKeeper();
        LeaderElection leader = drained.leaderElection(name);
        Diary diary = Diary.of(leader);
        leader.join();
        leads(leader);
        try (LeaderElection next = otherKeeper().leaderElection(name);
                ExclusiveHold work = take(drained.lock(freshName()))) {
            next.join();
            Task<Boolean> drain = inThread(() -> drained.drain(Duration.ofDays(1)));
            leads(next);
            assertThat(leader.isLeader()).isFalse();
            eventually("its listener is told", () -> diary.entries.equals(List.of("elected", "resigned")));
            assertThat(work.state()).isEqualTo(HoldState.HELD);
            assertThatThrownBy(leader::join).isInstanceOf(KeeperClosedException.class);
            work.close();
            assertThat(drain.get()).isTrue();
        }
    }
}
