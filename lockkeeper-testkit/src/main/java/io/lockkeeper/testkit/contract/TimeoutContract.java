package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A wait that times out says why: which holder has the lock, in which thread, and since when. */
@Needs(Capability.HOLDERS)
public abstract class TimeoutContract extends ContractTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void theHolderIsShownWithItsThreadAndSinceWhen() throws Exception {
        String name = freshName();
        Lockkeeper noted = openKeeper(settings -> settings.note("billing"));
        Task<ExclusiveHold> task = inThread(() -> {
            Thread.currentThread().setName("till 7");
            return noted.lock(name).withLease(LEASE).acquire();
        });
        try (ExclusiveHold hold = task.get()) {
            ResourceState.Grant grant = stateOf(name).grants().get(0);
            assertThat(grant.holder().thread().replace('_', ' ')).isEqualTo("till 7");
            assertThat(grant.holder().note()).isEqualTo("billing");
            eventually("it has been held for a while", () -> {
                Duration heldFor = stateOf(name).grants().get(0).heldFor();
                return fixture().knowsSinceWhen()
                        ? heldFor.compareTo(Duration.ofMillis(5)) > 0 && heldFor.compareTo(PATIENCE) < 0
                        : heldFor.isZero();
            });
        }
    }

    @Test
    void aWaitThatTimesOutSaysWhoHasIt() throws Exception {
        String name = freshName();
        Lockkeeper noted = openKeeper(settings -> settings.note("billing"));
        try (ExclusiveHold hold = take(noted.lock(name).withLease(LEASE))) {
            LockTimeoutException timeout = catchThrowableOfType(
                    LockTimeoutException.class, () -> keeper().lock(name).acquire(SHORT));
            assertThat(timeout)
                    .hasMessageContaining(name)
                    .hasMessageContaining("within 50ms")
                    .hasMessageContaining(
                            "billing pid " + ProcessHandle.current().pid())
                    .hasMessageContaining("token " + hold.token())
                    .hasMessageContaining("waiting in the store");
            assertThat(timeout.waited()).isEqualTo(SHORT);
            assertThat(timeout.state().orElseThrow().grants().get(0).token()).isEqualTo(hold.token());
        }
        keeper().lock(name).acquire(PATIENCE).close();
        assertNoTrace(name);
    }

    @Test
    void permitsAndSeveralLocksSayWhoHasThemToo() throws Exception {
        String name = freshName();
        Lockkeeper noted = openKeeper(settings -> settings.note("billing"));
        try (var permits = noted.semaphore(name, 2).withLease(LEASE).acquire(2);
                ExclusiveHold hold = take(noted.lock(name).withLease(LEASE));
                ExclusiveHold second = take(noted.lock(freshName()).withLease(LEASE));
                var segment = noted.segmentedLock(name, 1).withLease(LEASE).acquire()) {
            assertThatThrownBy(() -> keeper().semaphore(name, 2).acquire(SHORT))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("2 permits held");

            MultiLock both = keeper().multiLock(freshName(), name);
            LockTimeoutException timeout = catchThrowableOfType(LockTimeoutException.class, () -> both.acquire(SHORT));
            assertThat(timeout)
                    .hasMessageContaining(both.toString())
                    .hasMessageContaining("within 50ms: the lock '" + name + "' is missing, held")
                    .hasMessageContaining("billing pid")
                    .hasMessageContaining("token " + hold.token());
            assertThat(timeout.state().orElseThrow().grants().get(0).token()).isEqualTo(hold.token());

            assertThatThrownBy(() -> keeper().segmentedLock(name, 1).acquire(SHORT))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("segment 0 held")
                    .hasMessageContaining("billing pid")
                    .hasMessageContaining("token " + segment.token());
            MajorityLock majority =
                    MajorityLock.of(keeper().lock(freshName()), keeper().lock(name), keeper().lock(second.name()));
            assertThatThrownBy(() -> majority.acquire(SHORT))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("the lock '" + name + "' held")
                    .hasMessageContaining("token " + hold.token());
        }
    }

    // A count that includes the caller itself says that somebody else waits.
    @Test
    void theCallerItselfIsNotCountedAmongTheWaiters() throws Exception {
        String name = freshName();
        try (ExclusiveHold hold = take(otherKeeper().lock(name).withLease(LEASE))) {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> keeper().lock(name).acquire(Duration.ofMillis(2)))
                        .isInstanceOf(LockTimeoutException.class)
                        .hasMessageContaining("0 waiting in the store, 0 in this process");
            }
        }
    }

    @Test
    void threadsThatWaitHereAreNamed() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(otherKeeper().lock(name).withLease(LEASE));
        Task<ExclusiveHold> waiting = inThread(() -> {
            Thread.currentThread().setName("till 7");
            return keeper().lock(name).acquire();
        });
        eventually(
                "the other thread is named",
                () -> String.valueOf(catchThrowable(() -> keeper().lock(name).acquire(SHORT)))
                        .endsWith(" 1 in this process: till 7"));
        hold.close();
        waiting.get().close();
    }

    @Test
    @AboutTime
    void aStoreThatDidNotAnswerIsNoTimeout() {
        FaultyBackend network = faulty();
        Lockkeeper mine = openHastyKeeper(network);
        network.network().cut(Call.ATTEMPT);
        assertThatThrownBy(() -> mine.lock(freshName()).acquire(SHORT)).isInstanceOf(StoreUnavailableException.class);
    }
}
