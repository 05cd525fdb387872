package io.lockkeeper.testkit;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way between the keepers and the store of a {@link FaultyBackend}. Faults can be set for all kinds of {@link Call} or
 * for some of them; they stay until {@link #heal()}, except where a number of times is given.
 *
 * <p>Invariant: every request is executed at most once per time it was sent. A hung one is executed late, after {@link
 * #heal()}, by the thread that heals, in the order in which they were sent.
 */
public final class Network {

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Call> down = EnumSet.noneOf(Call.class);
    private final Set<Call> hung = EnumSet.noneOf(Call.class);
    private final Map<Call, Integer> unsent = new EnumMap<>(Call.class);
    private final Map<Call, Integer> unanswered = new EnumMap<>(Call.class);
    private final Queue<Runnable> late = new ArrayDeque<>();
    private final Map<Call, AtomicLong> counts = new EnumMap<>(Call.class);
    private final AtomicLong words = new AtomicLong();
    private volatile boolean deaf;
    /** How many exchanges lose the reply to their second half. Guarded by the lock. */
    private int halves;

    /** Cut, hung and healed with all kinds of requests; null if there is none. */
    private final @Nullable Line line;

    Network() {
        this(null);
    }

    Network(@Nullable Line line) {
        this.line = line;
        for (Call call : Call.values()) {
            counts.put(call, new AtomicLong());
        }
    }

    /** The server cannot be reached: requests of these kinds (all, if none is named) fail at once and are not executed. */
    public void cut(Call... kinds) {
        locked(() -> down.addAll(all(kinds)));
        if (kinds.length == 0 && line != null) {
            line.cut();
        }
    }

    /** The server takes requests of these kinds (all, if none is named) and does nothing with them until it is healed. */
    public void hang(Call... kinds) {
        locked(() -> hung.addAll(all(kinds)));
        if (kinds.length == 0 && line != null) {
            line.hang();
        }
    }

    /** The next {@code times} requests of that kind fail without having been sent. */
    public void failBefore(Call kind, int times) {
        locked(() -> unsent.put(kind, times));
    }

    /** The next {@code times} requests of that kind are executed, but their replies are lost. */
    public void failAfter(Call kind, int times) {
        locked(() -> unanswered.put(kind, times));
    }

    /** Of the next {@code times} exchanges, which are executed, only the reply to the first half arrives. */
    public void failSecondHalf(int times) {
        locked(() -> halves = times);
    }

    /** Whether signals are lost from now on. */
    public void dropSignals(boolean drop) {
        deaf = drop;
    }

    /** All is well again; requests that hung are executed now, also those whose callers have given up. */
    public void heal() {
        if (line != null) {
            line.heal();
        }
        while (true) {
            Runnable next;
            lock.lock();
            try {
                next = late.poll();
                if (next == null) {
                    down.clear();
                    hung.clear();
                    unsent.clear();
                    unanswered.clear();
                    halves = 0;
                    deaf = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            next.run();
        }
    }

    /** How many requests of these kinds (all, if none is named) were made so far, whatever became of them. */
    public long calls(Call... kinds) {
        return all(kinds).stream().mapToLong(kind -> count(kind).get()).sum();
    }

    /** How often a keeper here was told that another one wants what it keeps. */
    public long words() {
        return words.get();
    }

    void passedWord() {
        words.incrementAndGet();
    }

    /** Whether a fault is set for one of these kinds. */
    boolean affects(Call... kinds) {
        lock.lock();
        try {
            for (Call kind : kinds) {
                if (down.contains(kind)
                        || hung.contains(kind)
                        || unsent.getOrDefault(kind, 0) > 0
                        || unanswered.getOrDefault(kind, 0) > 0) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Counts requests of these kinds that are part of another one. */
    void counted(Call... kinds) {
        for (Call kind : kinds) {
            count(kind).incrementAndGet();
        }
    }

    boolean losesSecondHalf() {
        lock.lock();
        try {
            if (halves == 0) {
                return false;
            }
            halves--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean isDeaf() {
        return deaf;
    }

    <T> T send(Call kind, Duration limit, Clocks clocks, Supplier<T> request) {
        count(kind).incrementAndGet();
        Delayed<T> delayed = new Delayed<>(request);
        boolean loseReply;
        boolean hangs;
        lock.lock();
        try {
            if (down.contains(kind) || take(unsent, kind)) {
                throw new StoreUnavailableException("The network is down for " + kind + ", as the test wants it");
            }
            hangs = hung.contains(kind);
            if (hangs) {
                late.add(delayed);
            }
            loseReply = take(unanswered, kind);
        } finally {
            lock.unlock();
        }
        T answer = hangs ? answerOf(delayed, kind, limit, clocks) : request.get();
        if (loseReply) {
            throw new StoreUnavailableException("The reply to " + kind + " was lost, as the test wants it");
        }
        return answer;
    }

    /** Waits out the limit, deaf to interrupts like a request on a socket. */
    private static <T> T answerOf(Delayed<T> delayed, Call kind, Duration limit, Clocks clocks) {
        boolean interrupted = false;
        long end = clocks.now().mono() + limit.toNanos();
        try {
            while (!delayed.isDone() && clocks.now().mono() < end) {
                clocks.park(delayed, end);
                interrupted |= Thread.interrupted();
            }
            if (!delayed.isDone()) {
                throw new StoreUnavailableException(
                        "No answer to " + kind + " within " + limit + ", as the test wants it");
            }
            return delayed.get();
        } catch (InterruptedException | CancellationException impossible) {
            throw new IllegalStateException(impossible);
        } catch (ExecutionException e) {
            throw new StoreUnavailableException("A late answer to " + kind + " was a failure", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A request that is executed later, by another thread than the one that waits for it. */
    private static final class Delayed<T> extends FutureTask<T> {

        private final Thread waiting = Thread.currentThread();

        Delayed(Supplier<T> request) {
            super(request::get);
        }

        @Override
        protected void done() {
            LockSupport.unpark(waiting);
        }
    }

    private static boolean take(Map<Call, Integer> times, Call kind) {
        Integer left = times.get(kind);
        if (left == null || left <= 0) {
            return false;
        }
        times.put(kind, left - 1);
        return true;
    }

    private AtomicLong count(Call kind) {
        AtomicLong count = counts.get(kind);
        return count == null ? new AtomicLong() : count;
    }

    private static Set<Call> all(Call... kinds) {
        if (kinds.length == 0) {
            return EnumSet.allOf(Call.class);
        }
        Set<Call> named = EnumSet.copyOf(Arrays.asList(kinds));
        return Collections.unmodifiableSet(named);
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }
}
