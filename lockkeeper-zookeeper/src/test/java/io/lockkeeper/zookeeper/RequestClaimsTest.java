package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks that are owned by ids of the application: they belong to no session, and end by what other keepers observe. */
@Timeout(120)
class RequestClaimsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final String root = "/t" + random();
    private final Layout layout = new Layout(root);
    private final ZookeeperBackend backend =
            ZookeeperBackend.at("zk://" + Servers.shared().address() + root);
    private final Observer observer = Observer.at(Servers.shared().address());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Resource lock = Resource.lock("a");

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        observer.close();
    }

    private static String random() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private Lockkeeper keeper() {
        Lockkeeper keeper = Lockkeeper.of(backend);
        opened.add(keeper);
        return keeper;
    }

    private Store store() {
        TestKeeper keeper = new TestKeeper(random());
        keeper.known = false;
        Store store = backend.open(keeper);
        opened.add(store);
        return store;
    }

    private Claim claim(String id, Duration lease) {
        return Claim.of(id, lock, Mode.EXCLUSIVE, lease, new HolderInfo("k", "h", 1, ""), TIMEOUT)
                .withFixed(true);
    }

    private List<String> nodes() {
        return observer.names(layout.queue(lock));
    }

    @Test
    void itOutlivesTheKeeperThatTookItAndAnotherOneUnlocks() throws Exception {
        Lockkeeper first = keeper();
        assertThat(first.requests().tryLock("a", "request-1", LONG)).isTrue();
        first.close();
        Lockkeeper second = keeper();
        assertThat(second.requests().tryLock("a", "request-2", LONG)).isFalse();
        assertThat(second.lock("a").tryAcquire()).isNull();
        CompletableFuture<ExclusiveHold> waiting = second.lock("a").acquireAsync();
        until("it waits", () -> nodes().size() == 2);
        assertThat(second.requests().unlock("a", "request-1")).isTrue();
        waiting.get(60, TimeUnit.SECONDS).close();
    }

    @Test
    void aWaiterOfAnyKindHasItWhenTheLeaseWasSeenToPass() throws Exception {
        Lockkeeper keeper = keeper();
        assertThat(keeper.requests().tryLock("a", "request-1", Duration.ofMillis(300)))
                .isTrue();
        try (ExclusiveHold hold = keeper.lock("a").acquire()) {
            assertThat(hold.token()).isPositive();
        }
        assertThat(keeper.requests().tryLock("a", "request-1", Duration.ofMillis(300)))
                .isTrue();
        until("a single try has it", () -> {
            ExclusiveHold hold = keeper.lock("a").tryAcquire();
            if (hold != null) {
                hold.close();
            }
            return hold != null;
        });
        assertThat(keeper.requests().unlock("a", "request-1")).isFalse();
    }

    // A server that ended it by the time of its first write, or an observer that began to count there, would end it
    // under its owner.
    @Test
    void oneThatIsTakenAgainIsNotEndedByWhatWasSeenBefore() {
        Store owner = store();
        Store other = store();
        Claim mine = claim("mine", Duration.ofSeconds(2));
        assertThat(owner.attempt(mine)).isInstanceOf(Answer.Granted.class);
        long first = System.nanoTime();
        for (int i = 0; System.nanoTime() - first < TimeUnit.SECONDS.toNanos(5); i++) {
            long sent = System.nanoTime();
            if (!(owner.attempt(mine) instanceof Answer.Granted)) {
                throw new AssertionError("It was ended after " + i + " renewals");
            }
            until("half a second has passed", () -> {
                // A stall of this machine of more than the lease ends it rightly.
                boolean fresh = System.nanoTime() - sent < TimeUnit.MILLISECONDS.toNanos(1_500);
                Answer answer = other.attempt(claim("other", LONG));
                if (fresh && System.nanoTime() - sent < TimeUnit.MILLISECONDS.toNanos(1_900)) {
                    assertThat(answer).isInstanceOf(Answer.Wait.class);
                }
                return System.nanoTime() - sent > TimeUnit.MILLISECONDS.toNanos(500);
            });
            assertThat(nodes()).hasSize(1);
        }
    }

    @Test
    void whatAnotherProcessMayCountOnIsNeverMadeShorter() {
        Store owner = store();
        Store other = store();
        assertThat(owner.attempt(claim("mine", LONG))).isInstanceOf(Answer.Granted.class);
        assertThat(other.attempt(claim("mine", Duration.ofMillis(200)))).isInstanceOf(Answer.Granted.class);
        Duration left = other.inspect(lock).orElseThrow().grants().get(0).remaining();
        assertThat(left).isGreaterThan(LONG.minusMinutes(1));
    }

    @Test
    void theSameIdFromManyKeepersAtOnceIsOneLock() {
        List<Store> stores = List.of(store(), store(), store());
        for (int round = 0; round < 30; round++) {
            String id = "request-" + round;
            List<CompletableFuture<Answer>> answers = stores.stream()
                    .map(store -> CompletableFuture.supplyAsync(() -> store.attempt(claim(id, LONG))))
                    .toList();
            assertThat(answers.stream().map(CompletableFuture::join)).anyMatch(Answer.Granted.class::isInstance);
            assertThat(stores.get(0).attempt(claim("another", LONG))).isInstanceOf(Answer.Wait.class);
            assertThat(stores.get(round % 3).release(new Release(lock, id, LONG, false, TIMEOUT)))
                    .isEqualTo(Release.Outcome.RELEASED);
            assertThat(nodes()).isEmpty();
        }
    }
}
