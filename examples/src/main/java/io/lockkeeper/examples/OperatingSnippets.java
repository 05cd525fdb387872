package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.RequestLocks;
import io.lockkeeper.Resource;
import java.time.Duration;
import java.util.List;

/** What the guide shows of leases that are extended by hand and of holds that others release. */
@SuppressWarnings("unused")
final class OperatingSnippets {

    private final Lockkeeper keeper;

    OperatingSnippets(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** A fixed lease that its holder extends. */
    void extending() throws InterruptedException {
        try (ExclusiveHold hold =
                keeper.lock("report").withFixedLease(Duration.ofSeconds(30)).acquire()) {
            for (String page : List.of("cover", "page 1", "page 2")) {
                if (hold.extend(Duration.ofSeconds(30)) == ExtendOutcome.NOT_HELD) {
                    break; // somebody else may have it
                }
                System.out.println(page + ", sure for " + hold.remaining());
            }
        }
    }

    /** Owned by an id of the application. */
    boolean byRequest(String requestId, Runnable work) {
        RequestLocks locks = keeper.requests();
        if (!locks.tryLock("order:42", requestId, Duration.ofSeconds(30))) {
            return false; // another request has it
        }
        try {
            work.run();
        } finally {
            locks.unlock("order:42", requestId);
        }
        return true;
    }

    /** A keeper that opens before its store is there. */
    static Lockkeeper early(String url) {
        Lockkeeper keeper = Lockkeeper.builder().lazy().connect(url);
        return keeper;
    }

    /** A wait that fails when it is over, and says why. */
    void orFail() throws InterruptedException {
        try (ExclusiveHold hold = keeper.lock("report").acquire(Duration.ofSeconds(3))) {
            System.out.println("held under token " + hold.token());
        } catch (LockTimeoutException timeout) {
            // "The lock 'report' was not acquired within 3s: held for 12.5s by billing pid 4711 on db1, thread main, …"
            System.err.println(timeout.getMessage());
        }
    }

    /** Permits that another process gives back. */
    ReleaseOutcome permitsById(Lockkeeper other) throws InterruptedException {
        Permit two = keeper.semaphore("mail-server", 5).portable().acquire(2);
        String id = two.id(); // send it to the other process
        ReleaseOutcome outcome = other.release(Resource.semaphore("mail-server"), id);
        return outcome;
    }
}
