package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A fixed lease that its holder extends: by the store's word only, and never shortened. */
@Needs(Capability.EXTEND)
public abstract class ExtendContract extends ContractTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONGER = Duration.ofMinutes(4);

    private Duration inTheStore(String name) {
        ResourceState.Grant grant = stateOf(name).grants().get(0);
        return grant.remaining();
    }

    /** A grant in a session lasts for no longer than the session surely does, here; in the store it has its own lease. */
    private void assertLasts(SingleHold hold, Duration atLeast) {
        if (can(Capability.LEASES) || !can(Capability.EXPIRES)) {
            assertThat(hold.remaining()).isGreaterThan(atLeast);
        } else {
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Test
    void anExtendedHoldLastsLongerHereAndInTheStore() throws Exception {
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(LEASE));
        assertThat(hold.extend(LONGER)).isEqualTo(ExtendOutcome.EXTENDED);
        assertLasts(hold, LONGER.minus(LEASE));
        assertThat(hold.remaining()).isLessThanOrEqualTo(LONGER);
        assertThat(inTheStore(hold.name())).isGreaterThan(LONGER.minus(LEASE));
        Duration inTheStore = inTheStore(hold.name());
        // The store first: a stall between the two looks makes the second one smaller.
        assertThat(hold.remaining()).as("never more than the store says").isLessThan(inTheStore);
        assertThat(get(hold.extendAsync(LONGER.multipliedBy(2)))).isEqualTo(ExtendOutcome.EXTENDED);
        assertLasts(hold, LONGER);
        assertThat(inTheStore(hold.name())).isGreaterThan(LONGER);
        hold.close();
        assertNoTrace(hold.name());
    }

    // Else a request that comes late would take away what a later one gave.
    @Test
    void whatLastsLongerAlreadyStaysAsItIs() throws Exception {
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(LONGER));
        assertThat(hold.extend(LEASE)).isEqualTo(ExtendOutcome.EXTENDED);
        assertLasts(hold, LONGER.minus(LEASE));
        assertThat(inTheStore(hold.name())).isGreaterThan(LONGER.minus(LEASE));
        hold.close();
    }

    @Test
    @AboutTime
    void withoutAnAnswerNothingLastsLonger() throws Exception {
        FaultyBackend network = faulty();
        Lockkeeper mine = openHastyKeeper(network);
        ExclusiveHold hold = take(mine.lock(freshName()).withFixedLease(LEASE));
        network.network().failAfter(Call.RENEW, 1);
        assertThat(hold.extend(LONGER)).isEqualTo(ExtendOutcome.UNKNOWN);
        assertThat(hold.remaining()).isLessThan(LEASE);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.extend(LONGER)).isEqualTo(ExtendOutcome.EXTENDED);
        assertLasts(hold, LEASE);
        hold.close();
        assertNoTrace(hold.name());
    }

    @Test
    void whatIsGoneFromTheStoreIsLostWhenItIsToBeExtended() throws Exception {
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(LEASE));
        if (can(Fault.LOSE_GRANTS)) {
            lose(hold.name());
            assertThat(hold.extend(LONGER)).isEqualTo(ExtendOutcome.NOT_HELD);
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThat(get(hold.lost()).token()).isEqualTo(hold.token());
            assertThat(keeper().inspect(hold.name())).isEmpty();
        }
        hold.close();
        assertThat(hold.extend(LONGER)).as("of what is over").isEqualTo(ExtendOutcome.NOT_HELD);
    }

    @Test
    void permitsAndReadersAreExtendedToo() throws Exception {
        String name = freshName();
        Permit permit = keeper().semaphore(name, 2).withFixedLease(LEASE).acquire(2);
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(LEASE));
        assertThat(permit.extend(LONGER)).isEqualTo(ExtendOutcome.EXTENDED);
        assertLasts(permit, LEASE);
        assertThat(permit.permits()).isEqualTo(2);
        try (var reading = keeper().readWriteLock(freshName())
                .readLock()
                .withFixedLease(LEASE)
                .acquire()) {
            assertThat(reading.extend(LONGER)).isEqualTo(ExtendOutcome.EXTENDED);
            assertLasts(reading, LEASE);
        }
        permit.close();
        hold.close();
    }

    @Test
    void aHoldThatIsRenewedNeedsNoExtending() {
        ExclusiveHold hold = take(keeper().lock(freshName()).withLease(LEASE));
        assertThatThrownBy(() -> hold.extend(LONGER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("withFixedLease");
        hold.close();
    }
}
