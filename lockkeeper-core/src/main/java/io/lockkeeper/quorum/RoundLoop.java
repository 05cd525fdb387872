package io.lockkeeper.quorum;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.rounds.MemberCommand;
import io.lockkeeper.quorum.rounds.MemberReply;
import io.lockkeeper.quorum.rounds.MemberRequest;
import io.lockkeeper.quorum.rounds.Round;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The loop that runs rounds. The calling thread attends until every round is decided: it sends, takes replies in
 * and gives up waiting for a member after the timeout. After that the members' threads pass late replies to the rounds.
 *
 * <p>The lock guards the rounds. It is never held while a member is asked.
 */
final class RoundLoop {

    private final List<Member> members;
    private final Clocks clocks;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread attendant = Thread.currentThread();
    private final Deque<Arrival> inbox = new ArrayDeque<>();
    private final PriorityQueue<Pending> pending =
            new PriorityQueue<>((a, b) -> Long.compare(a.deadline - b.deadline, 0));
    private boolean attended = true;

    private record Arrival(Pending pending, MemberReply reply) {}

    private static final class Pending {
        final Round round;
        final MemberRequest request;
        final long latest;
        long deadline;
        MemberThreads.@Nullable Ticket ticket;
        boolean over;

        Pending(Round round, MemberRequest request, long deadline) {
            this.round = round;
            this.request = request;
            this.deadline = deadline;
            this.latest = deadline + QuorumPolicy.OWN_DELAY.toNanos();
        }
    }

    private RoundLoop(List<Member> members, Clocks clocks, Duration timeout) {
        this.members = members;
        this.clocks = clocks;
        this.timeout = timeout;
    }

    /** Runs the rounds, side by side, until each is decided; each request to a member may take this long. */
    static void run(List<? extends Round> rounds, List<Member> members, Clocks clocks, Duration timeout) {
        new RoundLoop(members, clocks, timeout).attend(rounds);
    }

    private void attend(List<? extends Round> rounds) {
        boolean interrupted = false;
        lock.lock();
        try {
            begin(rounds);
            while (!rounds.stream().allMatch(Round::decided)) {
                Arrival next = inbox.poll();
                if (next != null) {
                    take(next);
                    continue;
                }
                Pending oldest = oldest();
                long left = oldest == null ? 0 : oldest.deadline - monotonic();
                if (oldest == null) {
                    throw new IllegalStateException("A round is not decided and waits for nobody");
                }
                if (left <= 0) {
                    expire(oldest);
                } else {
                    await(oldest.deadline);
                    // A request under way is not interruptible; the caller sees it afterwards.
                    interrupted |= Thread.interrupted();
                }
            }
            attended = false;
            for (Arrival late = inbox.poll(); late != null; late = inbox.poll()) {
                take(late);
            }
        } finally {
            attended = false;
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets replies in, until one comes or until this moment. A reply between the two lines leaves the thread a permit. */
    private void await(long deadline) {
        lock.unlock();
        try {
            clocks.park(this, deadline);
        } finally {
            lock.lock();
        }
    }

    /** Sends the first requests of all rounds; renewals together, one batch to each member. */
    private void begin(List<? extends Round> rounds) {
        Map<Integer, List<Pending>> batches = new TreeMap<>();
        for (Round round : rounds) {
            for (MemberRequest request : round.start(clocks.now())) {
                Pending one = await(round, request);
                if (request.command() instanceof MemberCommand.Renew) {
                    batches.computeIfAbsent(request.member(), m -> new ArrayList<>())
                            .add(one);
                } else {
                    send(one);
                }
            }
        }
        batches.forEach(this::sendBatch);
    }

    private Pending await(Round round, MemberRequest request) {
        Pending one = new Pending(round, request, monotonic() + timeout.toNanos());
        if (attended) {
            pending.add(one);
        }
        return one;
    }

    private void send(Pending one) {
        Member member = members.get(one.request.member());
        MemberCommand command = one.request.command();
        try {
            one.ticket = one.round.decided()
                    ? member.repairs.submit(() -> arrive(one, member.repair(command)))
                    : member.requests.submit(() -> arrive(one, member.perform(command)));
        } catch (RejectedExecutionException e) {
            refuse(one, member, e);
        }
    }

    private void sendBatch(int number, List<Pending> batch) {
        Member member = members.get(number);
        List<Claim> claims = new ArrayList<>(batch.size());
        batch.forEach(one -> claims.add(((MemberCommand.Renew) one.request.command()).claim()));
        try {
            MemberThreads.Ticket ticket = member.renewals.submit(() -> {
                List<MemberReply> replies = member.renew(claims, timeout);
                for (int i = 0; i < batch.size(); i++) {
                    arrive(batch.get(i), replies.get(i));
                }
            });
            batch.forEach(one -> one.ticket = ticket);
        } catch (RejectedExecutionException e) {
            batch.forEach(one -> refuse(one, member, e));
        }
    }

    private void refuse(Pending one, Member member, RejectedExecutionException why) {
        keepIfRelease(one, member);
        String message = member.describe() + " was not asked: " + why.getMessage();
        arrive(one, new MemberReply.Failed(new StoreUnavailableException(message, why), false));
    }

    private static void keepIfRelease(Pending one, Member member) {
        if (one.request.command() instanceof MemberCommand.End end) {
            member.endLater(end.release());
        }
    }

    private void arrive(Pending one, MemberReply reply) {
        lock.lock();
        try {
            if (attended) {
                inbox.add(new Arrival(one, reply));
                LockSupport.unpark(attendant);
            } else {
                take(new Arrival(one, reply));
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(Arrival arrival) {
        Pending one = arrival.pending;
        one.over = true;
        for (MemberRequest next : one.round.on(one.request, arrival.reply, clocks.now())) {
            send(await(one.round, next));
        }
    }

    private @Nullable Pending oldest() {
        while (!pending.isEmpty() && pending.peek().over) {
            pending.poll();
        }
        return pending.peek();
    }

    /**
     * A member's time begins when a thread takes the request to it. One that still waits behind others is given up if the
     * member is silent, and not if it answers those: a claim for many permits sends more requests than a member has threads.
     */
    private void expire(Pending one) {
        MemberThreads.Ticket ticket = one.ticket;
        Member member = members.get(one.request.member());
        long now = monotonic();
        boolean withdrawn = false;
        if (ticket != null) {
            boolean patient = now < one.latest && (ticket.isNext() || member.answeredSince(now - timeout.toNanos()));
            if (!ticket.isTaken() && patient) {
                postpone(one, now + timeout.toNanos());
                return;
            }
            withdrawn = ticket.withdraw();
            if (!withdrawn && now < one.latest && ticket.takenAt() + timeout.toNanos() > now) {
                postpone(one, ticket.takenAt() + timeout.toNanos());
                return;
            }
        }
        if (withdrawn) {
            keepIfRelease(one, member);
        }
        take(new Arrival(
                one,
                new MemberReply.Failed(
                        new StoreUnavailableException(
                                member.describe() + " did not answer within " + Durations.text(timeout)),
                        !withdrawn)));
    }

    private void postpone(Pending one, long deadline) {
        pending.remove(one);
        one.deadline = deadline;
        pending.add(one);
    }

    private long monotonic() {
        return clocks.now().mono();
    }
}
