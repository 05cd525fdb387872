package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.engine.ReleasePolicy.Decision;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The ways that a released grant can go, and which of them is preferred. */
class ReleasePolicyTest {

    private static final AcquireRequest STICKY =
            new AcquireRequest(Mode.EXCLUSIVE, Rig.LEASE, false, false, false, Duration.ofSeconds(5));

    private final Rig rig = new Rig();
    private final WaiterQueue queue = new WaiterQueue();

    private static Terms terms(HandOff handOff, Barging barging) {
        return new Terms(
                new HolderInfo("keeper", "host", 1, ""),
                Duration.ofSeconds(1),
                handOff,
                barging,
                true,
                true,
                true,
                () -> "id");
    }

    private static final Terms HANDING_ON = terms(HandOff.DEFAULT, Barging.OFF);
    private static final Terms BARGING = terms(HandOff.DEFAULT, Barging.DEFAULT);
    private static final Terms RETURNING = terms(HandOff.OFF, Barging.OFF);

    /** A grant whose only holder has released it. */
    private Grant released(AcquireRequest request) {
        EngineHold hold = rig.acquire(request, 100, 10);
        hold.grant().released(rig.now(), hold);
        return hold.grant();
    }

    private Waiter waits(AcquireRequest request) {
        Waiter waiter = rig.waiter(request);
        waiter.become(Waiter.State.QUEUED);
        queue.addLast(waiter);
        return waiter;
    }

    private Decision decide(Terms terms, Grant grant) {
        return ReleasePolicy.decide(terms, rig.now(), grant, queue, false, true);
    }

    @Test
    void otherHoldersKeepIt() {
        EngineHold first = rig.acquire(Rig.SHARED, 100, 10);
        Grant grant = first.grant();
        assertThat(rig.holds(rig.arrive(Rig.SHARED)).grant()).isSameAs(grant);
        grant.released(rig.now(), first);
        waits(Rig.SHARED);

        assertThat(decide(HANDING_ON, grant)).isEqualTo(Decision.SHARE);
    }

    @Test
    void theHeadOfTheQueueHasItNextOrIsCalledForIt() {
        Grant grant = released(Rig.EXCLUSIVE);
        waits(Rig.EXCLUSIVE);

        assertThat(decide(HANDING_ON, grant)).isEqualTo(Decision.HAND_ON);
        assertThat(decide(BARGING, grant)).isEqualTo(Decision.LEAVE_OPEN);
    }

    @Test
    void aStickyGrantThatNobodyWantsIsKept() {
        Grant grant = released(STICKY);

        assertThat(decide(HANDING_ON, grant)).isEqualTo(Decision.KEEP);
        assertThat(ReleasePolicy.decide(HANDING_ON, rig.now(), grant, queue, false, false))
                .as("the keeper is being closed")
                .isEqualTo(Decision.RETURN);
        grant.recall();
        assertThat(decide(HANDING_ON, grant)).isEqualTo(Decision.RETURN);
    }

    @Test
    void anAttemptGoesAlongForPlainWaitersWithoutAClaim() {
        Grant grant = released(Rig.EXCLUSIVE);
        assertThat(decide(RETURNING, grant)).as("nobody waits").isEqualTo(Decision.RETURN);

        waits(Rig.EXCLUSIVE);
        assertThat(decide(RETURNING, grant)).isEqualTo(Decision.EXCHANGE);
        assertThat(ReleasePolicy.decide(RETURNING, rig.now(), grant, queue, true, true))
                .as("they have a claim already")
                .isEqualTo(Decision.RETURN);

        waits(Rig.FAIR);
        assertThat(decide(RETURNING, grant)).as("fair waiters come first").isEqualTo(Decision.RETURN);
    }

    @Test
    void aGrantThatIsNotSafeGoesBack() {
        Grant grant = released(Rig.EXCLUSIVE);
        waits(Rig.EXCLUSIVE);
        rig.pass(Rig.LEASE.multipliedBy(5).dividedBy(6));

        assertThat(decide(HANDING_ON, grant)).isEqualTo(Decision.EXCHANGE);
    }

    @Test
    void aDecisionChangesNothing() {
        Grant grant = released(Rig.EXCLUSIVE);
        Waiter head = waits(Rig.EXCLUSIVE);
        Moment later = new Moment(rig.now().mono() + 1, rig.now().wall() + 1);

        for (Terms terms : new Terms[] {HANDING_ON, BARGING, RETURNING}) {
            Decision first = ReleasePolicy.decide(terms, later, grant, queue, false, true);
            assertThat(ReleasePolicy.decide(terms, later, grant, queue, false, true))
                    .isEqualTo(first);
        }
        assertThat(grant.state()).isEqualTo(Grant.State.HELD);
        assertThat(grant.firstReleasedAt()).isEqualTo(rig.now().mono());
        assertThat(head.state()).isEqualTo(Waiter.State.QUEUED);
        assertThat(head.overtaken()).isZero();
        assertThat(queue.first()).isSameAs(head);
    }
}
