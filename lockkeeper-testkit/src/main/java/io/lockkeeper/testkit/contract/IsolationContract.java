package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Safety rule 7: one resource's trouble never delays another's. */
public abstract class IsolationContract extends ContractTest {

    private TwoNodes nodes() {
        return closing(new TwoNodes(fixture().backend()));
    }

    private Lockkeeper keeperOn(TwoNodes nodes) {
        return closing(settings().commandTimeout(HASTY).open(nodes));
    }

    private List<ExclusiveHold> take(Lockkeeper keeper, String prefix, int count, Duration lease) {
        List<ExclusiveHold> holds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            holds.add(take(keeper.lock(prefix + freshName()).withLease(lease)));
        }
        return holds;
    }

    // D1, D2: a hung node costs the locks on it, and none on the others.
    @Test
    @AboutTime
    @DecidedByKeeper
    void aHungNodeLosesNothingOnAnother() throws Exception {
        Duration lease = lease();
        TwoNodes nodes = nodes();
        Lockkeeper mine = keeperOn(nodes);
        List<ExclusiveHold> healthy = take(mine, "", 20, lease);
        List<ExclusiveHold> unlucky = take(mine, "bad/", 20, lease);
        nodes.bad().network().hang();
        if (can(Capability.EXPIRES)) {
            for (ExclusiveHold hold : unlucky) {
                get(hold.lost());
            }
        }
        letPass(lease.multipliedBy(2));
        for (ExclusiveHold hold : healthy) {
            assertKept(hold);
            taken(otherKeeper().lock(hold.name()));
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        nodes.bad().network().heal();
    }

    // D3: one grant whose renewal fails does not take the others of its batch along.
    @Test
    @AboutTime
    @DecidedByKeeper
    void oneGrantThatCannotBeRenewedDoesNotHarmTheOthers() throws Exception {
        Duration lease = lease();
        TwoNodes nodes = nodes();
        Lockkeeper mine = keeperOn(nodes);
        List<ExclusiveHold> healthy = take(mine, "", 30, lease);
        ExclusiveHold unlucky = take(mine, "", 1, lease).get(0);
        nodes.poison(lockNamed(unlucky.name()));
        healthy.addAll(take(mine, "", 30, lease));
        if (can(Capability.EXPIRES)) {
            get(unlucky.lost());
        }
        letPass(lease);
        for (ExclusiveHold hold : healthy) {
            assertKept(hold);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aHungNodeDelaysNoAcquireOnAnother() throws Exception {
        TwoNodes nodes = nodes();
        Lockkeeper mine = keeperOn(nodes);
        nodes.bad().network().hang();
        List<CompletableFuture<ExclusiveHold>> stuck = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            stuck.add(mine.lock("bad/" + freshName()).acquireAsync());
        }
        for (int i = 0; i < 20; i++) {
            get(mine.lock(freshName()).acquireAsync()).close();
            mine.lock(freshName()).acquire().close();
        }
        assertThat(stuck).noneMatch(CompletableFuture::isDone);
        nodes.bad().network().heal();
        for (CompletableFuture<ExclusiveHold> future : stuck) {
            get(future).close();
        }
    }

    @Test
    void aHugeQueueDelaysNoOtherLock() throws Exception {
        String name = freshName();
        ExclusiveHold theirs = take(otherKeeper().lock(name));
        List<CompletableFuture<ExclusiveHold>> queue = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            queue.add(keeper().lock(name).acquireAsync());
        }
        for (int i = 0; i < 20; i++) {
            keeper().lock(freshName()).acquire().close();
            get(keeper().lock(freshName()).acquireAsync()).close();
        }
        queue.forEach(future -> future.cancel(true));
        eventually("nobody queues", () -> stateOf(name).waiting() == 0);
        theirs.close();
        assertNoTrace(name);
    }
}
