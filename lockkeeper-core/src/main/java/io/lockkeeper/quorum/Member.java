package io.lockkeeper.quorum;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.rounds.Failures;
import io.lockkeeper.quorum.rounds.MemberCommand;
import io.lockkeeper.quorum.rounds.MemberReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One member, as one keeper sees it: its store, opened when it is first needed and can be reached, and the threads that ask
 * it. Requests, renewals and repairs have threads of their own: none waits for the others.
 */
final class Member {

    private static final int REQUESTS_AT_ONCE = 16;
    private static final int REQUESTS_WAITING = 4_096;
    private static final int RENEWALS_WAITING = 16;

    private final Backend backend;
    private final Keeper keeper;
    private final boolean durable;
    private final Clocks clocks;
    private final ReentrantLock opening = new ReentrantLock();
    private final UnconfirmedReleases unconfirmed;
    private volatile @Nullable Store store;
    private volatile boolean closed;
    private volatile @Nullable Long repairFailedAt;
    private volatile @Nullable Long answeredAt;

    final MemberThreads requests;
    final MemberThreads renewals;
    final MemberThreads repairs;

    Member(int number, Backend backend, boolean durable, Keeper keeper, Duration nodeTimeout, Predicate<String> live) {
        this.backend = backend;
        this.durable = durable;
        // Opening may have to load a client library and shake hands: what is far below a lease is too short for that.
        this.keeper = new MemberKeeper(keeper, () -> store == null ? keeper.commandTimeout() : nodeTimeout, live);
        this.clocks = keeper.clocks();
        String name = "lockkeeper-quorum-" + (number + 1);
        this.requests = new MemberThreads(name, REQUESTS_AT_ONCE, REQUESTS_WAITING, clocks);
        // One at a time; behind one that hangs few wait, the others are refused at once, as not sent.
        this.renewals = new MemberThreads(name + "-renewals", 1, RENEWALS_WAITING, clocks);
        this.repairs = new MemberThreads(name + "-repairs", 1, REQUESTS_WAITING, clocks);
        this.unconfirmed = new UnconfirmedReleases(repairs, this::end);
    }

    String describe() {
        return backend.describe();
    }

    /** Sends a command and waits for the answer, on one of the member's threads. An {@code Error} is a failure of this member. */
    MemberReply perform(MemberCommand command) {
        MemberReply reply;
        try {
            reply = answer(command);
        } catch (RuntimeException | Error e) {
            if (command instanceof MemberCommand.End end) {
                unconfirmed.add(end.release());
            }
            return new MemberReply.Failed(Failures.of(e), true);
        }
        heard();
        return reply;
    }

    /**
     * Sends a command whose reply nobody waits for. After a failure the commands that are queued are not sent for a second:
     * were a thousand claims taken back from a member that is down, each would cost a timeout.
     */
    MemberReply repair(MemberCommand command) {
        long now = clocks.now().mono();
        Long failedAt = repairFailedAt;
        if (failedAt != null && now - failedAt < QuorumPolicy.REPAIR_PAUSE.toNanos()) {
            return new MemberReply.Failed(
                    new StoreUnavailableException(describe() + " did not answer, and is left alone for a moment"),
                    false);
        }
        MemberReply reply = perform(command);
        repairFailedAt =
                reply instanceof MemberReply.Failed ? (Long) clocks.now().mono() : null;
        return reply;
    }

    private void heard() {
        answeredAt = clocks.now().mono();
        unconfirmed.memberAnswered();
    }

    /** Whether it has answered anything since that moment of the keeper's monotonic clock. */
    boolean answeredSince(long moment) {
        Long last = answeredAt;
        return last != null && last - moment >= 0;
    }

    /** A release that was not sent. */
    void endLater(Release release) {
        unconfirmed.add(release);
    }

    private MemberReply answer(MemberCommand command) {
        if (command instanceof MemberCommand.Attempt attempt) {
            Moment sent = clocks.now();
            Store open = open(attempt.claim().timeout());
            Answer answer = open.attempt(attempt.claim());
            if (durable || !(answer instanceof Answer.Granted)) {
                return new MemberReply.Voted(answer, Answer.FOREVER);
            }
            // Read afterwards, less the time since: the member had been up for this long when it granted, not only now.
            Duration uptime = StoreAbility.of(open, MemberStore.class).uptime();
            return new MemberReply.Voted(answer, uptime.minusNanos(clocks.now().since(sent)));
        }
        if (command instanceof MemberCommand.Raise raise) {
            Duration timeout = raise.claim().timeout();
            MemberStore member = StoreAbility.of(open(timeout), MemberStore.class);
            return new MemberReply.Renewed(member.raise(raise.claim(), raise.token(), timeout));
        }
        if (command instanceof MemberCommand.Narrow narrow) {
            NarrowingStore member = StoreAbility.of(open(narrow.claim().timeout()), NarrowingStore.class);
            return new MemberReply.Narrowed(member.narrow(narrow.claim(), narrow.to()));
        }
        if (command instanceof MemberCommand.Extend extend) {
            Duration timeout = extend.claim().timeout();
            ExtendingStore member = StoreAbility.of(open(timeout), ExtendingStore.class);
            return new MemberReply.Renewed(member.extend(extend.claim(), timeout));
        }
        if (command instanceof MemberCommand.Look look) {
            return new MemberReply.Seen(holds(open(look.timeout()), look.resource()));
        }
        if (command instanceof MemberCommand.End end) {
            return new MemberReply.Ended(end(end.release()));
        }
        Claim claim = ((MemberCommand.Renew) command).claim();
        return renew(List.of(claim), claim.timeout()).get(0);
    }

    /** Whether a claim holds the resource on that member. */
    static boolean holds(Store member, Resource resource) {
        Optional<ResourceState> state = member.inspect(resource);
        return state.isPresent() && !state.get().grants().isEmpty();
    }

    private Release.Outcome end(Release release) {
        return open(release.timeout()).release(release);
    }

    /** Renews many claims at once; a failure is the answer to each. */
    List<MemberReply> renew(List<Claim> claims, Duration timeout) {
        List<MemberReply> replies = new ArrayList<>(claims.size());
        try {
            for (Renewal renewal : open(timeout).renew(claims, timeout)) {
                replies.add(new MemberReply.Renewed(renewal));
            }
        } catch (RuntimeException | Error e) {
            RuntimeException failure = Failures.of(e);
            replies.clear();
            claims.forEach(claim -> replies.add(new MemberReply.Failed(failure, true)));
            return replies;
        }
        heard();
        return replies;
    }

    /** Any other request, on one of the member's threads. */
    <T> T ask(Function<Store, T> question, Duration timeout) {
        T answer = question.apply(open(timeout));
        heard();
        return answer;
    }

    private Store open(Duration timeout) {
        Store open = store;
        if (open != null) {
            return open;
        }
        boolean mine;
        try {
            mine = opening.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            mine = false;
        }
        if (!mine) {
            throw new StoreUnavailableException(describe() + " could not be opened within " + Durations.text(timeout));
        }
        try {
            Store already = store;
            if (already != null) {
                return already;
            }
            if (closed) {
                throw new StoreUnavailableException(describe() + " was closed");
            }
            Store opened = StoreAbility.checked(backend, backend.open(keeper));
            store = opened;
            return opened;
        } finally {
            opening.unlock();
        }
    }

    boolean isQuiet() {
        return requests.isQuiet() && renewals.isQuiet() && repairs.isQuiet();
    }

    /** What is under way may still end within the timeout. */
    void close(long deadline) {
        requests.close();
        renewals.close();
        requests.awaitEnd(deadline);
        unconfirmed.memberAnswered();
        repairs.close();
        repairs.awaitEnd(deadline);
        closed = true;
        Store open = store;
        if (open != null) {
            open.close();
        }
    }
}
