package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Fair locks: served in the order in which the store received the claims. */
@Needs(Capability.FAIR)
@SuppressWarnings("LockNotBeforeTry")
public abstract class FairContract extends ContractTest {

    @Test
    void aFairLockIsALock() throws Exception {
        DistributedLock lock = keeper().fairLock(freshName());
        try (ExclusiveHold hold = lock.acquire()) {
            assertThat(hold.token()).isPositive();
            taken(lock);
            assertThat(keeper().lock(lock.name()).tryAcquire())
                    .as("one resource")
                    .isNull();
            assertThat(otherKeeper().fairLock(lock.name()).tryAcquire(Duration.ofMillis(20)))
                    .isNull();
        }
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertNoTrace(lock.name());
    }

    // Each fair waiter has a place of its own from the moment it arrives, so keepers interleave.
    @Test
    @AboutTime
    void keepersAreServedInOrderOfArrival() throws Exception {
        // A waiter that cannot poll for 3 s is passed over.
        keepersArriveAndAreServed();
    }

    private void keepersArriveAndAreServed() throws Exception {
        String name = freshName();
        Lockkeeper third = openKeeper();
        List<Lockkeeper> arrivals = List.of(
                keeper(), keeper(), otherKeeper(), keeper(), third, otherKeeper(), otherKeeper(), third, keeper());
        ExclusiveHold first = take(keeper().fairLock(name));
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Task<Long>> waiters = new ArrayList<>();
        for (int i = 0; i < arrivals.size(); i++) {
            int number = i;
            waiters.add(inThread(() -> {
                try (ExclusiveHold hold = arrivals.get(number).fairLock(name).acquire()) {
                    order.add(number);
                    return hold.token();
                }
            }));
            awaitQueued(name, i + 1);
        }
        first.close();
        List<Long> tokens = new ArrayList<>();
        for (Task<Long> waiter : waiters) {
            tokens.add(waiter.get());
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertNoTrace(name);
    }

    @Test
    @AboutTime
    void processesAreServedInOrderOfArrival() throws Exception {
        // A waiter that cannot poll for 3 s is passed over.
        processesArriveAndAreServed();
    }

    private void processesArriveAndAreServed() throws Exception {
        String name = freshName();
        Peer a = peer(Duration.ofSeconds(30));
        Peer b = peer(Duration.ofSeconds(30));
        ExclusiveHold first = take(keeper().fairLock(name));
        a.send("fair " + name);
        awaitQueued(name, 1);
        Task<ExclusiveHold> ours = inThread(() -> keeper().fairLock(name).acquire());
        awaitQueued(name, 2);
        b.send("fair " + name);
        awaitQueued(name, 3);
        first.close();
        assertThat(a.receive()).startsWith("held");
        assertThat(ours.isDone()).isFalse();
        assertThat(a.ask("release")).isEqualTo("RELEASED");
        ExclusiveHold second = ours.get();
        awaitQueued(name, 1);
        second.close();
        assertThat(b.receive()).startsWith("held");
        assertThat(b.ask("release")).isEqualTo("RELEASED");
        assertNoTrace(name);
    }

    // D18: a waiter that is dead costs the others at most 3 s of silence and a poll.
    @Test
    void aWaiterThatWasKilledIsPassedOver() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().fairLock(name));
        // A poll that is under way when it is killed may still be granted to it; then its lease has to end first. In a
        // session its
        // place stays until that ends.
        Peer dead = peer(Duration.ofSeconds(10));
        dead.send("fair " + name);
        awaitQueued(name, 1);
        Task<ExclusiveHold> live = inThread(() -> keeper().fairLock(name).acquire());
        awaitQueued(name, 2);
        dead.kill();
        first.close();
        live.get().close();
    }

    @Test
    void aPausedWaiterIsPassedOverAndServedLater() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().fairLock(name));
        // A poll that is under way when it is paused may still be granted to it; then its lease has to end first.
        Peer paused = peer(Duration.ofSeconds(10));
        paused.send("fair " + name);
        awaitQueued(name, 1);
        Task<ExclusiveHold> live = inThread(() -> keeper().fairLock(name).acquire());
        awaitQueued(name, 2);
        paused.pause();
        first.close();
        ExclusiveHold second = live.get();
        paused.resume();
        letPass(A_WHILE);
        second.close();
        String held = paused.receive();
        assertThat(held).startsWith("held");
        // Granted by a poll that was under way: that was before the other, and its lease is over.
        boolean before = Long.parseLong(held.split(" ")[1]) < second.token();
        assertThat(paused.ask("release")).isEqualTo(before ? "NOT_HELD" : "RELEASED");
    }

    // D19: leaving and long limits do not disturb the order of those who stay.
    @Test
    @AboutTime
    void thoseWhoLeaveDoNotDisturbTheOrder() throws Exception {
        // A waiter that cannot poll for 3 s is passed over.
        someLeaveAndTheOthersAreServed();
    }

    private void someLeaveAndTheOthersAreServed() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().fairLock(name));
        List<String> order = new CopyOnWriteArrayList<>();
        Task<ExclusiveHold> interrupted =
                inThread(() -> otherKeeper().fairLock(name).acquire());
        awaitQueued(name, 1);
        Task<Boolean> a = inThread(() -> keeper().fairLock(name).tryRun(Duration.ofMinutes(2), hold -> order.add("a")));
        awaitQueued(name, 2);
        CompletableFuture<ExclusiveHold> cancelled = keeper().fairLock(name).acquireAsync();
        awaitQueued(name, 3);
        Task<Boolean> b =
                inThread(() -> otherKeeper().fairLock(name).tryRun(Duration.ofMinutes(2), hold -> order.add("b")));
        awaitQueued(name, 4);
        assertThat(otherKeeper().fairLock(name).tryAcquire(Duration.ofMillis(30)))
                .isNull();
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        cancelled.cancel(false);
        awaitQueued(name, 2);
        first.close();
        assertThat(a.get()).isTrue();
        assertThat(b.get()).isTrue();
        assertThat(order).containsExactly("a", "b");
        assertNoTrace(name);
    }

    @Test
    @AboutTime
    void plainCallersDoNotOvertakeFairOnes() throws Exception {
        // A waiter that cannot poll for 3 s is passed over.
        aPlainCallerComesBehindAFairOne();
    }

    private void aPlainCallerComesBehindAFairOne() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().lock(name));
        List<String> order = new CopyOnWriteArrayList<>();
        Task<Boolean> fair =
                inThread(() -> otherKeeper().fairLock(name).tryRun(Duration.ofMinutes(2), hold -> order.add("fair")));
        awaitQueued(name, 1);
        Lockkeeper third = openKeeper();
        Task<Boolean> plain =
                inThread(() -> third.lock(name).tryRun(Duration.ofMinutes(2), hold -> order.add("plain")));
        awaitQueued(name, 2);
        try (SingleHold none = third.lock(name).tryAcquire()) {
            assertThat(none).isNull();
        }
        first.close();
        assertThat(fair.get()).isTrue();
        assertThat(plain.get()).isTrue();
        assertThat(order).containsExactly("fair", "plain");
    }
}
