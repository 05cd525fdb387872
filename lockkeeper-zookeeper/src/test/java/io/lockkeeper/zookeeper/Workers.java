package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that take locks and give them back, and note if two believe in one at once or a token does not grow. */
final class Workers {

    /** Of one name. */
    private static final class Ledger {
        private final AtomicInteger inside = new AtomicInteger();
        private long lastToken;
    }

    private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();
    private final List<CompletableFuture<Void>> working = new ArrayList<>();
    private final List<AtomicInteger> pairs = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger mistakes = new AtomicInteger();

    void add(DistributedLock lock) {
        Ledger ledger = ledgers.computeIfAbsent(lock.name(), name -> new Ledger());
        AtomicInteger done = new AtomicInteger();
        pairs.add(done);
        working.add(CompletableFuture.runAsync(
                () -> work(lock, ledger, done), task -> new Thread(task, "worker-" + pairs.size()).start()));
    }

    private void work(DistributedLock lock, Ledger ledger, AtomicInteger done) {
        while (!stop.get()) {
            try (ExclusiveHold hold = lock.acquire()) {
                if (ledger.inside.incrementAndGet() > 1 || ledger.lastToken >= hold.token()) {
                    mistakes.incrementAndGet();
                }
                ledger.lastToken = hold.token();
                ledger.inside.decrementAndGet();
                if (hold.state() == HoldState.LOST) {
                    mistakes.incrementAndGet();
                }
                done.incrementAndGet();
            } catch (StoreUnavailableException e) {
                // It goes on when the servers do.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Returns when each has had its lock twice more. */
    void awaitProgress() {
        List<Integer> before = pairs.stream().map(AtomicInteger::get).toList();
        until("all go on", () -> {
            for (int i = 0; i < before.size(); i++) {
                if (pairs.get(i).get() < before.get(i) + 2) {
                    return false;
                }
            }
            return true;
        });
    }

    void stop() throws Exception {
        stop.set(true);
        for (CompletableFuture<Void> worker : working) {
            worker.get(60, TimeUnit.SECONDS);
        }
    }

    int mistakes() {
        return mistakes.get();
    }
}
