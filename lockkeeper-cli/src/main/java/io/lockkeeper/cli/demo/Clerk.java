package io.lockkeeper.cli.demo;

import io.lockkeeper.Acquirable;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread that sells. It serves a customer after the other and remembers which parts of the stock it saw empty. */
final class Clerk {

    private static final Duration BLOG_POLL = Duration.ofMillis(1);

    private final Lockkeeper keeper;
    private final TillLine till;
    private final String name;
    private final Load load;
    private final BitSet empty = new BitSet();

    Clerk(Lockkeeper keeper, TillLine till, String name, Load load) {
        this.keeper = keeper;
        this.till = till;
        this.name = name;
        this.load = load;
    }

    void serve(int customer, Guard guard) throws InterruptedException {
        switch (guard) {
            case NONE -> sell(0, customer, null);
            case BLOG_POST -> underBlogPost(customer);
            case LOCK -> underLock(keeper.lock(name), customer);
            case SEGMENTS -> underSegment(keeper.segmentedLock(name, load.segments()), customer);
        }
    }

    /** SET key NX PX, work, DEL key: nothing asks whose key it deletes, and nobody hears that it has expired. */
    private void underBlogPost(int customer) {
        while (!empty.get(0)) {
            if (till.setIfAbsent(name, load.blogExpiry())) {
                sell(0, customer, null);
                till.delete(name);
                return;
            }
            pause(BLOG_POLL);
        }
    }

    private void underLock(Acquirable<ExclusiveHold> lock, int customer) throws InterruptedException {
        if (!empty.get(0)) {
            try (ExclusiveHold hold = lock.acquire()) {
                sell(0, customer, hold);
            }
        }
    }

    /** Any free segment will do, until some are known to be empty: then one of the others, by turns. */
    private void underSegment(SegmentedLock lock, int customer) throws InterruptedException {
        while (empty.cardinality() < load.segments()) {
            int next = empty.nextClearBit(customer % load.segments());
            int open = next < load.segments() ? next : empty.nextClearBit(0);
            try (SegmentHold hold =
                    empty.isEmpty() ? lock.acquire() : lock.segment(open).acquire()) {
                if (sell(hold.segment(), customer, hold)) {
                    return;
                }
            }
        }
    }

    private boolean sell(int part, int customer, @Nullable ExclusiveHold hold) {
        int stock = till.look(part);
        if (stock <= 0) {
            empty.set(part);
            return false;
        }
        pause(load.saleOf(customer));
        till.sell(
                hold == null
                        ? Sale.unguarded(part, stock - 1)
                        : new Sale(part, stock - 1, hold.token(), hold.id(), false, false));
        return true;
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
