package io.lockkeeper.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Virtual time and what happens in it. Events at the same time happen in the order in which they were planned. */
final class Schedule {

    private static final int REMEMBERED = 400;

    private record Event(long at, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final @Nullable Deque<String> trace;
    private long now;
    private long numbers;
    private long done;
    private long hash = 1;

    Schedule(boolean tracing) {
        trace = tracing ? new ArrayDeque<>() : null;
    }

    long now() {
        return now;
    }

    long done() {
        return done;
    }

    void at(long time, Runnable what) {
        events.add(new Event(Math.max(time, now), numbers++, what));
    }

    void after(long delay, Runnable what) {
        at(now + delay, what);
    }

    /** Lets the next event happen, unless there is none before that time. */
    boolean step(long until) {
        Event next = events.peek();
        if (next == null || next.at > until) {
            now = until;
            return false;
        }
        events.remove();
        now = next.at;
        done++;
        mix(next.number);
        next.what.run();
        return true;
    }

    /** Makes a value part of the run's fingerprint. */
    void mix(long value) {
        hash = (hash ^ value ^ (now << 17)) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    void trace(Supplier<String> line) {
        if (trace != null) {
            trace.add(String.format("%11.6f  %s", now / 1e9, line.get()));
            if (trace.size() > REMEMBERED) {
                trace.remove();
            }
        }
    }

    Deque<String> trace() {
        return trace == null ? new ArrayDeque<>() : trace;
    }
}
