package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the fixture can do to its server itself. One case after the other, since each hits all keepers. A fixture that can
 * not do a thing must say so when it is asked to.
 */
@Execution(ExecutionMode.SAME_THREAD)
public abstract class ServerFaultContract extends ContractTest {

    @Test
    @AboutTime
    void aPausedServerMakesHoldsUncertainThenLost() throws Exception {
        if (!can(Fault.PAUSE)) {
            assertThatThrownBy(fixture()::pauseServer).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(fixture()::resumeServer).isInstanceOf(IllegalStateException.class);
            return;
        }
        ExclusiveHold hold = take(keeper().lock(freshName()).withLease(lease()));
        fixture().pauseServer();
        try {
            eventually("a missed renewal is noticed", () -> hold.state() != HoldState.HELD);
            assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        } finally {
            fixture().resumeServer();
        }
        try (ExclusiveHold next = otherKeeper().lock(hold.name()).acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
            letPass(A_WHILE);
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    @AboutTime
    void waitersOutlastAPauseOfTheServer() throws Exception {
        if (!can(Fault.PAUSE)) {
            assertThat(fixture().faults()).doesNotContain(Fault.PAUSE);
            take(keeper().lock(freshName())).close();
            return;
        }
        String name = freshName();
        ExclusiveHold theirs = take(otherKeeper().lock(name));
        Task<ExclusiveHold> waiter = inThread(() -> keeper().lock(name).acquire());
        awaitParked(waiter);
        fixture().pauseServer();
        try {
            letPass(A_WHILE);
        } finally {
            fixture().resumeServer();
        }
        theirs.close();
        waiter.get().close();
        assertNoTrace(name);
    }

    @Test
    @AboutTime
    void aRestartOfTheServerEndsNoWaitAndRepeatsNoToken() throws Exception {
        if (!can(Fault.KILL)) {
            assertThatThrownBy(fixture()::killServer).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(fixture()::restartServer).isInstanceOf(IllegalStateException.class);
            return;
        }
        String name = freshName();
        ExclusiveHold theirs = take(otherKeeper().lock(name).withLease(lease()));
        Task<ExclusiveHold> waiter = inThread(() -> keeper().lock(name).acquire());
        awaitParked(waiter);
        fixture().killServer();
        letPass(A_WHILE);
        fixture().restartServer();
        theirs.close();
        try (ExclusiveHold ours = waiter.get()) {
            assertThat(ours.token()).isGreaterThan(theirs.token());
        }
    }

    @Test
    @AboutTime
    void grantsThatTheStoreLostAreLostForTheirHolders() throws Exception {
        String name = freshName();
        if (!can(Fault.LOSE_GRANTS)) {
            assertThatThrownBy(() -> fixture().loseGrants(lockNamed(name))).isInstanceOf(IllegalStateException.class);
            assertThat(can(Capability.EXPIRES))
                    .as("only what never expires is never lost")
                    .isFalse();
            return;
        }
        ExclusiveHold hold = take(keeper().lock(name).withLease(lease()));
        fixture().loseGrants(lockNamed(name));
        try (ExclusiveHold next = take(otherKeeper().lock(name))) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(get(hold.lost()).token()).isEqualTo(hold.token());
        }
    }
}
