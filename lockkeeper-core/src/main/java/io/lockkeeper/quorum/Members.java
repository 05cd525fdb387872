package io.lockkeeper.quorum;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.Failures;
import io.lockkeeper.quorum.rounds.QuorumRules;
import io.lockkeeper.quorum.rounds.Round;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The members of a quorum as one keeper sees them, with the threads and rounds that reach them. */
final class Members {

    private static final System.Logger LOG = System.getLogger(Members.class.getName());

    private final Quorum quorum;
    private final Keeper keeper;
    private final List<Member> members = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean closing;
    private final Set<String> liveIds = ConcurrentHashMap.newKeySet();

    Members(Quorum quorum, Keeper keeper) {
        this.quorum = quorum;
        this.keeper = keeper;
        for (int i = 0; i < quorum.members().size(); i++) {
            boolean durable = quorum.rules().durable().contains(i);
            Backend backend = quorum.members().get(i);
            members.add(new Member(i, backend, durable, keeper, quorum.nodeTimeout(), liveIds::contains));
        }
    }

    QuorumRules rules() {
        return quorum.rules();
    }

    Clocks clocks() {
        return keeper.clocks();
    }

    Set<Capability> capabilities() {
        return quorum.capabilities();
    }

    Duration nodeTimeout() {
        return quorum.nodeTimeout();
    }

    Duration commandTimeout() {
        return keeper.commandTimeout();
    }

    RandomGenerator random() {
        return quorum.random();
    }

    Duration backOff(int failures) {
        return quorum.backOff().delay(failures, quorum.random());
    }

    int attempts() {
        return quorum.attempts();
    }

    boolean isClosing() {
        return closing;
    }

    void know(ClaimVotes claimVotes) {
        liveIds.add(claimVotes.claim().id());
    }

    void forget(ClaimVotes claimVotes) {
        liveIds.remove(claimVotes.claim().id());
    }

    /** Ends a claim on each member when it next answers. */
    void abandon(ClaimVotes claimVotes) {
        claimVotes.end();
        for (int i = 0; i < members.size(); i++) {
            members.get(i).endLater(claimVotes.release(i, true, claimVotes.timeout()));
        }
        forget(claimVotes);
    }

    void run(List<? extends Round> rounds, Duration timeout) {
        RoundLoop.run(rounds, members, keeper.clocks(), timeout);
    }

    /** Makes a call that closing waits for. */
    <T> T call(Supplier<T> call) {
        running.incrementAndGet();
        try {
            if (closing) {
                throw new StoreUnavailableException("The quorum was closed");
            }
            return call.get();
        } finally {
            running.decrementAndGet();
        }
    }

    /**
     * Opens the members that can be reached; fails if they are fewer than a quorum.
     *
     * @return whether all were reached
     */
    boolean meet(Duration timeout) {
        List<String> present = askAll(Store::storeId, timeout);
        if (Set.copyOf(present).size() < present.size()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Two members of the {0} have the same id, so they may be one server with two votes; name each server once",
                    quorum.describe());
        }
        LOG.log(
                System.Logger.Level.DEBUG,
                "{0} of {1} members of the quorum are there",
                present.size(),
                members.size());
        return present.size() == members.size();
    }

    /**
     * Asks all members at once and waits for all of them, within the timeout.
     *
     * @return the answers of those that gave one
     * @throws StoreUnavailableException with each member's error, if they are fewer than a quorum
     */
    <T> List<T> askAll(Function<Store, T> question, Duration timeout) {
        AtomicReferenceArray<@Nullable T> answers = new AtomicReferenceArray<>(members.size());
        AtomicReferenceArray<@Nullable RuntimeException> errors = new AtomicReferenceArray<>(members.size());
        AtomicInteger left = new AtomicInteger(members.size());
        Thread caller = Thread.currentThread();
        Runnable done = () -> {
            if (left.decrementAndGet() == 0) {
                LockSupport.unpark(caller);
            }
        };
        for (int i = 0; i < members.size(); i++) {
            int member = i;
            try {
                members.get(i).requests.submit(() -> {
                    try {
                        answers.set(member, members.get(member).ask(question, timeout));
                    } catch (RuntimeException | Error e) {
                        errors.set(member, Failures.of(e));
                    } finally {
                        done.run();
                    }
                });
            } catch (RejectedExecutionException e) {
                errors.set(
                        i,
                        new StoreUnavailableException(
                                members.get(i).describe() + " was not asked: " + e.getMessage(), e));
                done.run();
            }
        }
        awaitUninterruptibly(() -> left.get() == 0, timeout);
        return answered(answers, errors, timeout);
    }

    private <T> List<T> answered(
            AtomicReferenceArray<@Nullable T> answers,
            AtomicReferenceArray<@Nullable RuntimeException> errors,
            Duration timeout) {
        List<T> given = new ArrayList<>();
        Failures failures = new Failures(members.size());
        for (int i = 0; i < members.size(); i++) {
            T answer = answers.get(i);
            RuntimeException error = errors.get(i);
            if (answer != null) {
                given.add(answer);
            } else if (error != null) {
                failures.add(i, error);
            } else {
                failures.add(
                        i,
                        new StoreUnavailableException(
                                members.get(i).describe() + " did not answer within " + Durations.text(timeout)));
            }
        }
        if (given.size() < rules().quorum()) {
            throw failures.asException("Too few members of the quorum answered");
        }
        return given;
    }

    /** Returns when all have answered or the time is up; the answers say which. */
    private void awaitUninterruptibly(BooleanSupplier done, Duration timeout) {
        boolean interrupted = false;
        long deadline = clocks().now().mono() + timeout.toNanos();
        while (!done.getAsBoolean() && clocks().now().mono() < deadline) {
            clocks().park(this, deadline);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** For tests: whether nothing is under way to a member. */
    boolean isQuiet() {
        return members.stream().allMatch(Member::isQuiet);
    }

    /** Lets calls that are under way end, so that nothing is left behind that they were to give back. */
    void close() {
        closing = true;
        long deadline = Clocks.system().now().mono() + QuorumPolicy.CLOSING.toNanos();
        while (running.get() > 0 && Clocks.system().now().mono() < deadline) {
            clocks().park(this, clocks().now().mono() + QuorumPolicy.CLOSING_STEP.toNanos());
        }
        RuntimeException failure = null;
        for (Member member : members) {
            try {
                member.close(deadline);
            } catch (RuntimeException | Error e) {
                // The others are closed all the same.
                failure = failure == null ? Failures.of(e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
