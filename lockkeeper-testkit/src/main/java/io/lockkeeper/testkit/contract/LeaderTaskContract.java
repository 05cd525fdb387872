package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Elections: a task that runs while leading, waiting for the leadership, and the list of candidates. */
public abstract class LeaderTaskContract extends ContractTest {
    /** A task that runs until it is interrupted, and what was seen of it. */
    private static final class Endless implements LeaderElection.Task {
        final List<Long> begun = new CopyOnWriteArrayList<>();
        final List<Long> interrupted = new CopyOnWriteArrayList<>();
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();

        @Override
        public void run(ExclusiveHold leadership) throws InterruptedException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                begun.add(leadership.token());
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.add(leadership.token());
                throw e;
            } finally {
                running.decrementAndGet();
            }
        }
    }

    @Test
    void aTaskRunsWhileItsCandidateLeadsAndIsStoppedWhenItLeaves() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name)) {
            var task = new Endless();
            var other = new Endless();
            first.join(task);
            eventually("the task of the leader runs", () -> task.begun.size() == 1);
            assertThat(task.begun)
                    .containsExactly(first.leadership().orElseThrow().token());
            second.join(other);
            first.leave();
            assertThat(task.interrupted).as("it has ended when leave returns").isEqualTo(task.begun);
            eventually("the task of the next leader runs", () -> other.begun.size() == 1);
            assertThat(other.begun.get(0)).isGreaterThan(task.begun.get(0));
            get(second.leaveAsync());
            assertThat(other.interrupted).isEqualTo(other.begun);
        }
    }

    @Test
    void theLeadershipIsGivenBackWhenTheTaskHasEnded() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name)) {
            var mayEnd = new CountDownLatch(1);
            var interrupted = new CountDownLatch(1);
            first.join(leadership -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    mayEnd.await();
                }
            });
            first.await();
            second.join();
            CompletableFuture<?> left = first.leaveAsync();
            interrupted.await();
            assertThat(second.isLeader()).isFalse();
            if (can(Capability.HOLDERS)) {
                assertThat(second.current().map(LeaderElection.Leader::id)).contains(first.id());
            }
            assertThat(left).isNotDone();
            mayEnd.countDown();
            get(left);
            second.await();
        }
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void aDeposedLeadersTaskIsInterruptedAndRunsAgainInTheNextTerm() throws Exception {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            var task = new Endless();
            election.join(task);
            for (int round = 1; round <= 3; round++) {
                int rounds = round;
                eventually("the task runs", () -> task.begun.size() == rounds);
                assertThat(otherKeeper().forceRelease(new Resource(Family.ELECTION, name)))
                        .isTrue();
                eventually("it is stopped", () -> task.interrupted.size() == rounds);
            }
            eventually("it runs again", () -> task.begun.size() == 4);
            assertThat(task.most.get()).as("never twice at once").isEqualTo(1);
            assertThat(task.begun).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void aTaskThatEndsResignsAndStandsAgain() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name)) {
            List<String> runs = new CopyOnWriteArrayList<>();
            Diary diary = Diary.of(first);
            var bothStand = new CountDownLatch(1);
            first.join(leadership -> {
                bothStand.await();
                runs.add("first");
                breathe();
                if (runs.size() > 2) {
                    throw new IllegalStateException("as the test wants it");
                }
            });
            first.await();
            second.join(leadership -> {
                runs.add("second");
                breathe();
            });
            bothStand.countDown();
            eventually("both had several turns", () -> {
                long ofFirst = runs.stream().filter("first"::equals).count();
                return ofFirst >= 3 && runs.size() - ofFirst >= 3;
            });
            assertThat(diary.entries.subList(0, 2)).containsExactly("elected", "resigned");
        }
    }

    @Test
    void aTaskMayLeaveItself() throws Exception {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            var done = new CompletableFuture<Boolean>();
            election.join(leadership -> {
                election.leave();
                done.complete(Thread.currentThread().isInterrupted());
            });
            assertThat(this.<Boolean>get(done)).as("it was interrupted").isFalse();
            assertThat(election.isLeader()).isFalse();
            eventually(
                    "nobody leads",
                    () -> otherKeeper().inspect(Resource.election(name)).isEmpty());
        }
    }

    @Test
    void joiningTwiceWithATaskIsRefused() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name)) {
            election.join();
            assertThatThrownBy(() -> election.join(leadership -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining(election.id());
        }
    }

    @Test
    void waitingForTheLeadershipEndsWithItOrWithoutIt() throws Exception {
        String name = freshName();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name)) {
            assertThatThrownBy(first::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("join");
            first.join();
            long term = first.await().token();
            assertThat(first.isLeader()).isTrue();
            assertThat(this.<ExclusiveHold>get(first.awaitAsync()).token()).isEqualTo(term);
            second.join();
            assertThat(second.await(Duration.ZERO)).isNull();
            assertThat(second.await(Duration.ofMillis(50))).isNull();
            Task<ExclusiveHold> thread = inThread(() -> second.await());
            CompletableFuture<ExclusiveHold> future = second.awaitAsync();
            Task<ExclusiveHold> interrupted = inThread(() -> second.await());
            interrupted.interrupt();
            assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
            CompletableFuture<ExclusiveHold> cancelled = second.awaitAsync();
            cancelled.cancel(false);
            first.leave();
            assertThat(thread.get().token()).isGreaterThan(term);
            assertThat(get(future).token()).isEqualTo(thread.get().token());
        }
    }

    @Test
    void waitingForTheLeadershipFailsWhenTheCandidateLeavesOrItsKeeperCloses() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        try (LeaderElection first = keeper().leaderElection(name);
                LeaderElection second = otherKeeper().leaderElection(name);
                LeaderElection third = closing.leaderElection(name)) {
            first.join();
            first.await();
            second.join();
            third.join();
            Task<ExclusiveHold> leaving = inThread(() -> second.await());
            Task<ExclusiveHold> closed = inThread(() -> third.await());
            second.leave();
            assertThat(leaving.failure()).isInstanceOf(IllegalStateException.class);
            closing.close();
            assertThat(closed.failure()).isInstanceOf(KeeperClosedException.class);
            assertThat(failureOf(third.awaitAsync())).isInstanceOf(KeeperClosedException.class);
        }
    }

    @TestIfOffered(Capability.HOLDERS)
    void candidatesAreSeenByAllAndToldApartWithinOneKeeperToo() throws Exception {
        String name = freshName();
        try (LeaderElection named = keeper().leaderElection(name).as("node-7");
                LeaderElection sameKeeper = keeper().leaderElection(name);
                LeaderElection other = otherKeeper().leaderElection(name).as("node-8")) {
            assertThat(other.candidates()).isEmpty();
            named.join();
            named.await();
            sameKeeper.join();
            other.join();
            eventually("all three are seen", () -> ids(other).equals(Set.of("node-7", sameKeeper.id(), "node-8")));
            assertThat(get(named.candidatesAsync())).hasSize(3);
            assertThat(named.candidates())
                    .filteredOn(candidate -> candidate.id().equals("node-8"))
                    .extracting(candidate -> candidate.holder().keeper())
                    .containsExactly(otherKeeper().id());
            assertThat(other.current().orElseThrow().id()).isEqualTo("node-7");
            other.leave();
            eventually("it is gone", () -> ids(named).equals(Set.of("node-7", sameKeeper.id())));
            named.leave();
            sameKeeper.await();
            assertThat(other.current().orElseThrow().id()).isEqualTo(sameKeeper.id());
            eventually("one is left", () -> ids(other).equals(Set.of(sameKeeper.id())));
        }
        assertThatThrownBy(() -> keeper().leaderElection(name).as("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> keeper().leaderElection(name).as("x".repeat(65)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Set<String> ids(LeaderElection election) {
        return election.candidates().stream().map(LeaderElection.Candidate::id).collect(Collectors.toSet());
    }
}
