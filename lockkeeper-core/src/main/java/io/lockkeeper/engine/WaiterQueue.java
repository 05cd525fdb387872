package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiters in order of arrival; joining and leaving cost the same however many there are. */
final class WaiterQueue {

    private @Nullable Waiter head;
    private @Nullable Waiter tail;
    private int size;
    private int fair;
    private int exclusive;

    void addLast(Waiter waiter) {
        waiter.previous = tail;
        waiter.next = null;
        if (tail == null) {
            head = waiter;
        } else {
            tail.next = waiter;
        }
        tail = waiter;
        count(waiter, 1);
    }

    /** Back to the front, for a waiter whose grant came to nothing. */
    void addFirst(Waiter waiter) {
        waiter.previous = null;
        waiter.next = head;
        if (head == null) {
            tail = waiter;
        } else {
            head.previous = waiter;
        }
        head = waiter;
        count(waiter, 1);
    }

    void remove(Waiter waiter) {
        if (!contains(waiter)) {
            return;
        }
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        count(waiter, -1);
    }

    private void count(Waiter waiter, int change) {
        size += change;
        if (waiter.request.fair()) {
            fair += change;
        }
        if (waiter.request.mode() instanceof Mode.Exclusive) {
            exclusive += change;
        }
    }

    boolean contains(Waiter waiter) {
        return head == waiter || waiter.previous != null;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The names of the threads of the first waiters. */
    List<String> threads(int atMost) {
        List<String> threads = new ArrayList<>();
        for (Waiter waiter = head; waiter != null && threads.size() < atMost; waiter = waiter.next) {
            threads.add(waiter.thread);
        }
        return threads;
    }

    boolean hasFair() {
        return fair > 0;
    }

    boolean hasExclusive() {
        return exclusive > 0;
    }

    int plain() {
        return size - fair;
    }

    @Nullable
    Waiter first() {
        return head;
    }

    /** The first plain waiter: it sends the requests of the claim that the plain waiters have together. */
    @Nullable
    Waiter firstPlain() {
        return first(false);
    }

    /** The first fair waiter: its claim has a place of its own in the store, and it polls for all fair ones. */
    @Nullable
    Waiter firstFair() {
        return first(true);
    }

    private @Nullable Waiter first(boolean wantFair) {
        if ((wantFair ? fair : plain()) == 0) {
            return null;
        }
        Waiter waiter = head;
        while (waiter != null && waiter.request.fair() != wantFair) {
            waiter = waiter.next;
        }
        return waiter;
    }

    /** The nearest fair waiter before this one. */
    static @Nullable Waiter fairBefore(Waiter waiter) {
        Waiter before = waiter.previous;
        while (before != null && !before.request.fair()) {
            before = before.previous;
        }
        return before;
    }
}
