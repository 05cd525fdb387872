package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The driver of the waiters for a latch, step by step: when the store is asked, whom an answer lets go on, and who is too late. */
class LatchWaitersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Rig rig = new Rig();
    private final LatchWaiters waiters = new LatchWaiters();

    private LatchWaiter arrives(Duration timeout) {
        LatchWaiter waiter = new LatchWaiter(rig.now().mono() + timeout.toNanos());
        waiters.arrive(waiter);
        return waiter;
    }

    private void polls() {
        assertThat(waiters.next(rig.now())).isInstanceOf(LatchStep.Poll.class);
    }

    private long parks() {
        LatchStep step = waiters.next(rig.now());
        assertThat(step).isInstanceOf(LatchStep.Park.class);
        return ((LatchStep.Park) step).until();
    }

    private void answers(long generation, int count) {
        waiters.replied(rig.now(), StoreReply.answered(rig.now(), new LatchStore.State(generation, count)));
    }

    private void staysSilent() {
        waiters.replied(rig.now(), StoreReply.failed(rig.now(), new StoreUnavailableException("planted")));
    }

    private LatchWaiter.State ends(LatchWaiter waiter) {
        assertThat(waiters.takeEnded(rig.now())).containsExactly(waiter);
        return waiter.state();
    }

    private void nobodyEnds() {
        assertThat(waiters.takeEnded(rig.now())).isEmpty();
    }

    @Test
    void oneRequestIsMadeForAllAndRepeatedAfterASecond() {
        LatchWaiter first = arrives(MINUTE);
        LatchWaiter second = arrives(MINUTE);
        polls();
        answers(7, 2);

        nobodyEnds();
        assertThat(parks()).isEqualTo(rig.now().mono() + WaiterTimes.LONGEST_POLL.toNanos());
        rig.pass(WaiterTimes.LONGEST_POLL);
        polls();
        answers(7, 0);
        assertThat(waiters.takeEnded(rig.now())).containsExactly(first, second);
        assertThat(first.state()).isEqualTo(LatchWaiter.State.OPENED);
        assertThat(waiters.isEmpty()).isTrue();
        assertThat(parks()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSignalIsFollowedByARequest() {
        LatchWaiter waiter = arrives(MINUTE);
        polls();
        answers(7, 1);
        parks();

        waiters.signal();

        polls();
        answers(7, 0);
        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.OPENED);
    }

    @Test
    void aSignalWhileARequestIsUnderWayIsFollowedByAnother() {
        arrives(MINUTE);
        polls();
        waiters.signal();
        answers(7, 1);

        polls();
    }

    @Test
    void aWaiterGoesOnWhenAnotherGenerationHasBegun() {
        LatchWaiter waiter = arrives(MINUTE);
        polls();
        answers(7, 1);
        nobodyEnds();

        waiters.signal();
        polls();
        answers(8, 5);

        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.OPENED);
    }

    @Test
    void anAnswerCountsOnlyForThoseThatCameBeforeItsRequest() {
        LatchWaiter first = arrives(MINUTE);
        polls();
        LatchWaiter later = arrives(MINUTE);
        answers(0, 0);

        assertThat(ends(first)).isEqualTo(LatchWaiter.State.OPENED);
        polls();
        answers(8, 1);
        nobodyEnds();
        assertThat(later.state()).isEqualTo(LatchWaiter.State.SEEN);
    }

    @Test
    void aWaiterIsTooLateAtItsDeadline() {
        LatchWaiter waiter = arrives(Duration.ofMillis(300));
        polls();
        answers(7, 1);

        assertThat(parks()).isEqualTo(rig.now().mono() + Duration.ofMillis(300).toNanos());
        nobodyEnds();
        rig.pass(Duration.ofMillis(300));
        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.CLOSED);
    }

    @Test
    void aWaiterThatIsTooLateIsNotToldSoBeforeTheStoreHasAnswered() {
        LatchWaiter waiter = arrives(Duration.ZERO);
        nobodyEnds();
        polls();
        nobodyEnds();
        answers(7, 1);

        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.CLOSED);
    }

    @Test
    void aWaiterThatIsTooLateGoesOnIfTheFirstAnswerSaysSo() {
        LatchWaiter waiter = arrives(Duration.ZERO);
        polls();
        answers(7, 0);

        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.OPENED);
    }

    @Test
    void aWaiterThatNeverHadAnAnswerIsToldWhy() {
        LatchWaiter waiter = arrives(Duration.ofSeconds(1));
        polls();
        staysSilent();
        nobodyEnds();
        rig.pass(Duration.ofSeconds(1));

        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.FAILED);
        assertThat(waiter.failure()).hasMessage("planted");
    }

    @Test
    void aFailureBeforeAWaiterCameIsNotItsOwn() {
        arrives(MINUTE);
        polls();
        staysSilent();
        LatchWaiter later = arrives(Duration.ZERO);

        nobodyEnds();
        polls();
        answers(7, 1);
        assertThat(ends(later)).isEqualTo(LatchWaiter.State.CLOSED);
    }

    @Test
    void afterAFailureTheRequestIsRepeatedAndTheGenerationStands() {
        LatchWaiter waiter = arrives(MINUTE);
        polls();
        answers(7, 1);
        rig.pass(WaiterTimes.LONGEST_POLL);
        polls();
        staysSilent();
        rig.pass(WaiterTimes.LONGEST_POLL);
        polls();
        answers(8, 1);

        assertThat(ends(waiter)).isEqualTo(LatchWaiter.State.OPENED);
    }

    @Test
    void aWaiterThatLeavesIsNotWaitedFor() {
        LatchWaiter waiter = arrives(MINUTE);
        polls();
        waiters.leave(waiter);
        waiters.leave(waiter);
        answers(7, 0);

        nobodyEnds();
        assertThat(parks()).isEqualTo(Long.MAX_VALUE);
    }
}
