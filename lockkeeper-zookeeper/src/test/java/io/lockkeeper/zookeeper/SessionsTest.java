package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.LockProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of holds and waiters when a session ends, a connection is lost, or somebody deletes nodes. */
@Timeout(120)
class SessionsTest {

    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");
    private final Layout layout = new Layout(root);
    private final Observer observer = Observer.at(Servers.shared().address());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        observer.close();
    }

    private Lockkeeper keeper() {
        return keeper(Servers.shared().port());
    }

    private Lockkeeper keeper(int port) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(10))
                .connect("zk://127.0.0.1:" + port + root);
        opened.add(keeper);
        return keeper;
    }

    private FaultProxy proxy() {
        FaultProxy proxy = FaultProxy.to(Servers.shared().port());
        opened.add(proxy);
        return proxy;
    }

    private void endSessionOf(String heldName, Lockkeeper other) {
        String id =
                other.inspect(heldName).orElseThrow().grants().get(0).holder().keeper();
        observer.endSession(layout, id, Servers.shared().address());
    }

    private List<String> nodes(String name) {
        return observer.names(layout.queue(Resource.lock(name)));
    }

    // Curator's mutex says yes to a nested acquire after its session ended and another client holds the lock.
    @Test
    void afterTheEndOfASessionNothingSaysYesAndEveryHolderIsTold() throws Exception {
        Lockkeeper first = keeper();
        Lockkeeper second = keeper();
        DistributedLock lock = first.lock("nested");
        lock.lock();
        List<Hold> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(first.lock("many/" + i).acquire());
        }
        ExclusiveHold theirs = second.lock("theirs").acquire();
        endSessionOf("nested", second);
        ExclusiveHold taken = second.lock("nested").acquire();
        for (Hold hold : many) {
            assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).isFalse();
        assertThat(theirs.state()).isEqualTo(HoldState.HELD);
        taken.close();
        lock.lock();
        assertThat(lock.currentHold().token()).isGreaterThan(taken.token());
        lock.unlock();
    }

    @Test
    void aWaiterQueuesAgainAfterTheEndOfItsSessionAndKeepsItsTimeLimit() throws Exception {
        Lockkeeper holder = keeper();
        Lockkeeper waiting = keeper();
        ExclusiveHold known = waiting.lock("known").acquire();
        ExclusiveHold hold = holder.lock("wanted").acquire();
        CompletableFuture<ExclusiveHold> patient = waiting.lock("wanted").acquireAsync();
        CompletableFuture<ExclusiveHold> hasty = waiting.lock("wanted").tryAcquireAsync(Duration.ofSeconds(2));
        until("it waits", () -> nodes("wanted").size() == 2);
        List<String> before = nodes("wanted");
        endSessionOf("known", holder);
        assertThat(known.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        until(
                "it has another place",
                () -> nodes("wanted").size() == 2 && !nodes("wanted").equals(before));
        assertThat(hasty.get(60, TimeUnit.SECONDS)).isNull();
        hold.close();
        patient.get(60, TimeUnit.SECONDS).close();
        until("no place is left", () -> nodes("wanted").isEmpty());
    }

    @Test
    void aWaiterThatIsCancelledTimedOutInterruptedOrKilledLeavesNoNode() throws Exception {
        ExclusiveHold hold = keeper().lock("a").acquire();
        Lockkeeper waiting = keeper();
        CompletableFuture<ExclusiveHold> cancelled = waiting.lock("a").acquireAsync();
        until("it waits", () -> nodes("a").size() == 2);
        cancelled.cancel(false);
        until("only the holder's node is left", () -> nodes("a").size() == 1);
        assertThat(waiting.fairLock("a").tryAcquire(Duration.ofMillis(300))).isNull();
        until("only the holder's node is left", () -> nodes("a").size() == 1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                waiting.lock("a").acquire().close();
                interrupted.complete(false);
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        thread.start();
        until("it waits", () -> nodes("a").size() == 2);
        thread.interrupt();
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        until("only the holder's node is left", () -> nodes("a").size() == 1);
        try (ChildJvm killed = LockProgram.start("zk://" + Servers.shared().address() + root, Duration.ofSeconds(2))) {
            killed.send("fair a");
            until("it waits", () -> nodes("a").size() == 2);
            killed.kill();
            until("only the holder's node is left", () -> nodes("a").size() == 1);
        }
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aHolderWhoseNodeWasDeletedIsToldAndAWaiterQueuesAgain() throws Exception {
        Lockkeeper first = keeper();
        Lockkeeper second = keeper();
        ExclusiveHold hold = first.lock("a").withLease(Duration.ofSeconds(3)).acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("a").acquireAsync();
        until("it waits", () -> nodes("a").size() == 2);
        Queue queue = Queue.of(nodes("a"));
        observer.delete(layout.queue(Resource.lock("a")) + "/" + queue.names().get(1));
        until("it waits again", () -> nodes("a").size() == 2);
        observer.deleteHolders(layout.queue(Resource.lock("a")));
        assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.TAKEN);
        ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS);
        assertThat(next.token()).isGreaterThan(hold.token());
        next.close();
    }

    @Test
    void aLostConnectionMakesHoldsUncertainAndTheSameSessionMakesThemHeldAgain() throws Exception {
        FaultProxy proxy = proxy();
        ExclusiveHold hold = keeper(proxy.port()).lock("a").acquire();
        List<String> before = nodes("a");
        proxy.refuse();
        proxy.resetAll();
        until("it is uncertain", () -> hold.state() == HoldState.UNCERTAIN);
        proxy.heal();
        until("it is held again", () -> hold.state() == HoldState.HELD);
        assertThat(nodes("a")).isEqualTo(before);
        hold.close();
    }

    @Test
    void aCreationWhoseReplyWasLostIsFoundByItsId() throws Exception {
        FaultProxy proxy = proxy();
        Lockkeeper keeper = keeper(proxy.port());
        keeper.lock("a").acquire().close();
        proxy.toClient(FaultProxy.Rule.swallow());
        CompletableFuture<ExclusiveHold> acquiring = keeper.lock("a").acquireAsync();
        until("it was executed", () -> nodes("a").size() == 1);
        List<String> made = nodes("a");
        proxy.resetAll();
        proxy.heal();
        try (ExclusiveHold hold = acquiring.get(60, TimeUnit.SECONDS)) {
            assertThat(nodes("a")).isEqualTo(made);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        until("it is gone", () -> nodes("a").isEmpty());
    }

    @Test
    void aCreationWhoseReplyWasLostAndThatNobodyWantsAnyMoreIsUndone() throws Exception {
        FaultProxy proxy = proxy();
        Lockkeeper keeper = keeper(proxy.port());
        keeper.lock("a").acquire().close();
        proxy.toClient(FaultProxy.Rule.swallow());
        CompletableFuture<ExclusiveHold> acquiring = keeper.lock("a").acquireAsync();
        until("it was executed", () -> nodes("a").size() == 1);
        acquiring.cancel(false);
        proxy.resetAll();
        proxy.heal();
        until("it is gone", () -> nodes("a").isEmpty());
    }
}
