package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One round of a majority lock: all locks are tried at once, and a majority of grants is a hold.
 *
 * <p><b>Invariant.</b> Each grant has one fate: it is part of the hold, or it is given back. A grant that comes after the hold
 * was made joins it; one that comes after the round was lost, or after the caller has left, is given back. What would break
 * it: a grant that is neither, and is renewed until the process ends.
 */
final class MajorityVote {

    /** How it ended. */
    sealed interface Outcome {
        record Won() implements Outcome {}

        /**
         * All is given back.
         *
         * @param contested whether some locks were granted and others were somebody else's
         * @param failure what went wrong, if without it there might have been a majority; null if others have too many
         */
        record Lost(boolean contested, @Nullable RuntimeException failure) implements Outcome {}
    }

    private final List<WriteLock> locks;
    private final int majority;
    private final CompletableFuture<@Nullable MajorityHold> result;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<ExclusiveHold> granted = new ArrayList<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private int busy;
    private @Nullable LiveMajorityHold formed;

    MajorityVote(List<WriteLock> locks, CompletableFuture<@Nullable MajorityHold> result) {
        this.locks = locks;
        this.majority = locks.size() / 2 + 1;
        this.result = result;
    }

    /** Tries all; the result is complete when it was won, and left alone when it was lost. */
    CompletableFuture<Outcome> begin() {
        for (WriteLock one : locks) {
            CompletableFuture<@Nullable ExclusiveHold> attempt;
            try {
                attempt = one.tryAcquireAsync();
            } catch (RuntimeException | Error thrown) {
                answered(null, thrown);
                continue;
            }
            attempt.whenComplete(this::answered);
        }
        return outcome;
    }

    private void answered(@Nullable ExclusiveHold hold, @Nullable Throwable thrown) {
        boolean joins = false;
        boolean decided = false;
        lock.lock();
        try {
            if (hold != null && formed != null) {
                joins = true;
            } else if (hold != null) {
                granted.add(hold);
            } else if (thrown != null) {
                failures.add(StoreCalls.asFailure(
                        thrown instanceof CompletionException && thrown.getCause() != null
                                ? thrown.getCause()
                                : thrown));
            } else {
                busy++;
            }
            if (formed == null && granted.size() >= majority) {
                formed = new LiveMajorityHold(locks.get(0).core, granted, majority);
                decided = true;
            } else if (formed == null && granted.size() + busy + failures.size() == locks.size()) {
                decided = true;
            }
        } finally {
            lock.unlock();
        }
        if (joins && hold != null && formed != null) {
            formed.join(hold);
        }
        if (decided) {
            decide();
        }
    }

    private void decide() {
        LiveMajorityHold hold = formed;
        if (hold != null) {
            if (!result.complete(hold)) {
                hold.releaseAsync();
            }
            outcome.complete(new Outcome.Won());
            return;
        }
        CompletableFuture<?>[] endings =
                granted.stream().map(ExclusiveHold::releaseAsync).toArray(CompletableFuture[]::new);
        // Only then: the next caller would find locks taken that nobody holds.
        CompletableFuture.allOf(endings).whenComplete((done, ignored) -> outcome.complete(lost()));
    }

    private Outcome lost() {
        boolean taken = locks.size() - busy < majority;
        return new Outcome.Lost(!granted.isEmpty() && busy > 0, taken || failures.isEmpty() ? null : failure());
    }

    private RuntimeException failure() {
        for (RuntimeException failure : failures) {
            if (!(failure instanceof StoreUnavailableException)) {
                return failure;
            }
        }
        StoreUnavailableException all = new StoreUnavailableException(
                failures.size() + " of " + locks.size() + " locks could not be asked, so there is no majority: "
                        + failures.get(0).getMessage());
        failures.forEach(all::addSuppressed);
        return all;
    }
}
