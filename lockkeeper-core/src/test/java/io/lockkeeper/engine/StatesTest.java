package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.Claim;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The tables of transitions: each change in the table happens, any other throws and names both states. */
class StatesTest {

    private static final Map<Waiter.State, Set<Waiter.State>> WAITER = Map.of(
            Waiter.State.NEW,
            EnumSet.of(Waiter.State.QUEUED, Waiter.State.TRYING, Waiter.State.SERVED, Waiter.State.LEFT),
            Waiter.State.QUEUED,
            EnumSet.of(Waiter.State.CALLED, Waiter.State.SERVED, Waiter.State.FAILED, Waiter.State.LEFT),
            Waiter.State.CALLED,
            EnumSet.of(Waiter.State.QUEUED, Waiter.State.SERVED, Waiter.State.FAILED, Waiter.State.LEFT),
            Waiter.State.TRYING,
            EnumSet.of(Waiter.State.SERVED, Waiter.State.FAILED, Waiter.State.LEFT),
            Waiter.State.SERVED,
            EnumSet.of(Waiter.State.QUEUED, Waiter.State.LEFT),
            Waiter.State.FAILED,
            EnumSet.noneOf(Waiter.State.class),
            Waiter.State.LEFT,
            EnumSet.noneOf(Waiter.State.class));

    private static final Map<Waiter.State, List<Waiter.State>> WAITER_PATHS = Map.of(
            Waiter.State.NEW, List.of(),
            Waiter.State.QUEUED, List.of(Waiter.State.QUEUED),
            Waiter.State.CALLED, List.of(Waiter.State.QUEUED, Waiter.State.CALLED),
            Waiter.State.TRYING, List.of(Waiter.State.TRYING),
            Waiter.State.SERVED, List.of(Waiter.State.SERVED),
            Waiter.State.FAILED, List.of(Waiter.State.TRYING, Waiter.State.FAILED),
            Waiter.State.LEFT, List.of(Waiter.State.LEFT));

    private static final Map<PendingClaim.State, Set<PendingClaim.State>> CLAIM = Map.of(
            PendingClaim.State.UNSENT,
            EnumSet.of(PendingClaim.State.REQUESTED, PendingClaim.State.ENDED),
            PendingClaim.State.REQUESTED,
            EnumSet.of(
                    PendingClaim.State.PLACED,
                    PendingClaim.State.UNSENT,
                    PendingClaim.State.UNCERTAIN,
                    PendingClaim.State.ABANDONED,
                    PendingClaim.State.ENDED),
            PendingClaim.State.PLACED,
            EnumSet.of(PendingClaim.State.POLLED, PendingClaim.State.ENDED),
            PendingClaim.State.POLLED,
            EnumSet.of(
                    PendingClaim.State.PLACED,
                    PendingClaim.State.UNSENT,
                    PendingClaim.State.UNCERTAIN,
                    PendingClaim.State.ABANDONED,
                    PendingClaim.State.ENDED),
            PendingClaim.State.UNCERTAIN,
            EnumSet.of(PendingClaim.State.REQUESTED, PendingClaim.State.ENDED),
            PendingClaim.State.ABANDONED,
            EnumSet.of(PendingClaim.State.ENDED),
            PendingClaim.State.ENDED,
            EnumSet.noneOf(PendingClaim.State.class));

    private static final Map<PendingClaim.State, List<PendingClaim.State>> CLAIM_PATHS = Map.of(
            PendingClaim.State.UNSENT,
            List.of(),
            PendingClaim.State.REQUESTED,
            List.of(PendingClaim.State.REQUESTED),
            PendingClaim.State.PLACED,
            List.of(PendingClaim.State.REQUESTED, PendingClaim.State.PLACED),
            PendingClaim.State.POLLED,
            List.of(PendingClaim.State.REQUESTED, PendingClaim.State.PLACED, PendingClaim.State.POLLED),
            PendingClaim.State.UNCERTAIN,
            List.of(PendingClaim.State.REQUESTED, PendingClaim.State.UNCERTAIN),
            PendingClaim.State.ABANDONED,
            List.of(PendingClaim.State.REQUESTED, PendingClaim.State.ABANDONED),
            PendingClaim.State.ENDED,
            List.of(PendingClaim.State.ENDED));

    private static final Map<Grant.State, Set<Grant.State>> GRANT = Map.of(
            Grant.State.HELD,
            EnumSet.of(Grant.State.HELD, Grant.State.OPEN, Grant.State.IDLE, Grant.State.RELEASING, Grant.State.ENDED),
            Grant.State.OPEN,
            EnumSet.of(Grant.State.HELD, Grant.State.ENDED),
            Grant.State.IDLE,
            EnumSet.of(Grant.State.HELD, Grant.State.RETURNING, Grant.State.ENDED),
            Grant.State.RELEASING,
            EnumSet.of(Grant.State.ENDED),
            Grant.State.RETURNING,
            EnumSet.of(Grant.State.ENDED),
            Grant.State.ENDED,
            EnumSet.noneOf(Grant.State.class));

    private static final Map<Grant.State, List<Grant.State>> GRANT_PATHS = Map.of(
            Grant.State.HELD, List.of(),
            Grant.State.OPEN, List.of(Grant.State.OPEN),
            Grant.State.IDLE, List.of(Grant.State.IDLE),
            Grant.State.RELEASING, List.of(Grant.State.RELEASING),
            Grant.State.RETURNING, List.of(Grant.State.IDLE, Grant.State.RETURNING),
            Grant.State.ENDED, List.of(Grant.State.ENDED));

    private static final Map<LatchWaiter.State, Set<LatchWaiter.State>> LATCH = Map.of(
            LatchWaiter.State.NEW, EnumSet.of(LatchWaiter.State.ASKED),
            LatchWaiter.State.ASKED,
                    EnumSet.of(LatchWaiter.State.SEEN, LatchWaiter.State.OPENED, LatchWaiter.State.FAILED),
            LatchWaiter.State.SEEN, EnumSet.of(LatchWaiter.State.OPENED, LatchWaiter.State.CLOSED),
            LatchWaiter.State.OPENED, EnumSet.noneOf(LatchWaiter.State.class),
            LatchWaiter.State.CLOSED, EnumSet.noneOf(LatchWaiter.State.class),
            LatchWaiter.State.FAILED, EnumSet.noneOf(LatchWaiter.State.class));

    private static final Map<LatchWaiter.State, List<LatchWaiter.State>> LATCH_PATHS = Map.of(
            LatchWaiter.State.NEW, List.of(),
            LatchWaiter.State.ASKED, List.of(LatchWaiter.State.ASKED),
            LatchWaiter.State.SEEN, List.of(LatchWaiter.State.ASKED, LatchWaiter.State.SEEN),
            LatchWaiter.State.OPENED, List.of(LatchWaiter.State.ASKED, LatchWaiter.State.OPENED),
            LatchWaiter.State.CLOSED,
                    List.of(LatchWaiter.State.ASKED, LatchWaiter.State.SEEN, LatchWaiter.State.CLOSED),
            LatchWaiter.State.FAILED, List.of(LatchWaiter.State.ASKED, LatchWaiter.State.FAILED));

    @Test
    void aWaiterForALatchChangesOnlyAsItsTableSays() {
        check(
                LatchWaiter.State.values(),
                LATCH,
                LATCH_PATHS,
                () -> new LatchWaiter(Long.MAX_VALUE),
                LatchWaiter::become,
                LatchWaiter::state);
    }

    @Test
    void aWaiterChangesOnlyAsItsTableSays() {
        check(
                Waiter.State.values(),
                WAITER,
                WAITER_PATHS,
                () -> new Waiter(Rig.EXCLUSIVE, false, null, null, () -> {}),
                Waiter::become,
                Waiter::state);
    }

    @Test
    void aClaimChangesOnlyAsItsTableSays() {
        check(
                PendingClaim.State.values(),
                CLAIM,
                CLAIM_PATHS,
                () -> new PendingClaim("id", Rig.EXCLUSIVE, Claim.Queueing.PLAIN, null),
                PendingClaim::become,
                PendingClaim::state);
    }

    @Test
    void aGrantChangesOnlyAsItsTableSays() {
        check(
                Grant.State.values(),
                GRANT,
                GRANT_PATHS,
                () -> new Rig().acquire(Rig.EXCLUSIVE, 5, 10).grant(),
                Grant::become,
                Grant::state);
    }

    @Test
    void anAnswerThatIsGivenTwiceIsNoticed() {
        Rig rig = new Rig();
        Step.Attempt attempt = rig.attempt(rig.arrive(Rig.EXCLUSIVE));
        rig.granted(attempt, 5, 1);
        assertThatThrownBy(() -> rig.mustWait(attempt))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("ENDED", "PLACED");
    }

    @Test
    void aWaiterArrivesOnce() {
        Rig rig = new Rig();
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        assertThatThrownBy(() -> rig.arrive(waiter)).isInstanceOf(IllegalStateException.class);
    }

    private static <S, T> void check(
            S[] states,
            Map<S, Set<S>> table,
            Map<S, List<S>> paths,
            Supplier<T> made,
            BiConsumer<T, S> become,
            Function<T, S> state) {
        for (S from : states) {
            for (S to : states) {
                T subject = made.get();
                paths.get(from).forEach(step -> become.accept(subject, step));
                assertThat(state.apply(subject)).isEqualTo(from);
                if (table.get(from).contains(to)) {
                    become.accept(subject, to);
                    assertThat(state.apply(subject)).isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> become.accept(subject, to))
                            .as("%s to %s", from, to)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll(from.toString(), to.toString());
                    assertThat(state.apply(subject)).as("unchanged").isEqualTo(from);
                }
            }
        }
    }
}
