package io.lockkeeper.testkit;

import io.lockkeeper.testkit.FaultProxy.Rule;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The current rule of one direction, and how to wait for the next one. */
final class RuleBoard {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LongAdder withheld = new LongAdder();
    private Posted posted = new Posted(Rule.pass());

    /** A rule that was set; the same rule set again is another one, with counts of its own. */
    static final class Posted {
        final Rule rule;

        Posted(Rule rule) {
            this.rule = rule;
        }
    }

    void set(Rule rule) {
        lock.lock();
        try {
            posted = new Posted(rule);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Posted current() {
        lock.lock();
        try {
            return posted;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until another rule than this one is set, or so much time has passed. */
    void awaitOther(Posted seen, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (posted == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    void awaitOther(Posted seen) throws InterruptedException {
        awaitOther(seen, TimeUnit.DAYS.toNanos(1));
    }

    void withhold(long bytes) {
        withheld.add(bytes);
    }

    long withheld() {
        return withheld.sum();
    }
}
