package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Permits that another process releases by their id. */
@Needs(Capability.PERMITS)
public abstract class PortablePermitContract extends ContractTest {
    private static final int SIZE = 3;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private DistributedSemaphore semaphore(String name) {
        return keeper().semaphore(name, SIZE).withLease(LEASE);
    }

    private static Resource semaphoreNamed(String name) {
        return Resource.semaphore(name);
    }

    @TestIfOffered(Capability.PORTABLE)
    void portablePermitsAreReleasedTogetherByAnotherKeeperThatKnowsTheirId() throws Exception {
        String name = freshName();
        DistributedSemaphore semaphore = semaphore(name);
        Permit two = semaphore.portable().acquire(2);
        Permit one = semaphore.portable().acquire();

        assertThat(otherKeeper().release(semaphoreNamed(name), two.id())).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(get(two.lost()).reason()).isEqualTo(Loss.Reason.RELEASED_ELSEWHERE);
        assertThat(two.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(one.state()).isEqualTo(HoldState.HELD);
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        assertThat(otherKeeper().release(semaphoreNamed(name), two.id())).isEqualTo(ReleaseOutcome.NOT_HELD);
        one.close();
    }

    @Test
    void ordinaryPermitsAreReleasedByTheirOwnKeeperOnly() throws Exception {
        String name = freshName();
        Permit permit = semaphore(name).acquire();
        assertThat(otherKeeper().release(semaphoreNamed(name), permit.id())).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(permit.state()).isEqualTo(HoldState.HELD);
        assertThat(keeper().release(semaphoreNamed(name), permit.id())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(permit.state()).isEqualTo(HoldState.RELEASED);
    }

    @Test
    void permitsThatAreReleasedAsALockSayWhatToCall() throws Exception {
        String name = freshName();
        Permit permit = semaphore(name).acquire();
        assertSaysWhatToCall(keeper(), permit);
        permit.close();
        assertThat(keeper().release(name, permit.id()))
                .as("of no permit any more")
                .isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    // The process that gets the id by mail is another one, and has only the name and the id.
    @Test
    void portablePermitsOfAnotherProcessSaySoToo() throws Exception {
        if (can(Capability.PORTABLE)) {
            String name = freshName();
            Permit two = semaphore(name).portable().acquire(2);
            assertSaysWhatToCall(otherKeeper(), two);
            assertSaysWhatToCall(keeper(), two);
            assertThat(semaphore(name).availablePermits()).isEqualTo(1);
            assertThat(otherKeeper().release(Resource.semaphore(name), two.id()))
                    .isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(otherKeeper().release(name, two.id())).isEqualTo(ReleaseOutcome.NOT_HELD);
        }
    }

    private static void assertSaysWhatToCall(Lockkeeper keeper, Permit permit) {
        assertThatThrownBy(() -> keeper.release(permit.name(), permit.id()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(permit.id())
                .hasMessageContaining("use release(Resource.semaphore(\"" + permit.name() + "\"), id)");
        assertThat(permit.state()).isEqualTo(HoldState.HELD);
    }
}
