package io.lockkeeper.benchmarks.job;

/**
 * One thread's look at the slot that its lock guards. A thread that enters finds nobody inside and a smaller token; one that
 * leaves finds its own mark and adds one to what it read when it entered.
 */
final class Guard {

    static final int COUNTER = 0;
    private static final int TOKEN = 1;
    private static final int OWNER = 2;

    private final Slots slots;
    private final int slot;
    private final long me;
    private final boolean ordered;
    private long seen;

    /** @param ordered whether all tokens are of one name, so that they must grow */
    Guard(Slots slots, int slot, long me, boolean ordered) {
        this.slots = slots;
        this.slot = slot;
        this.me = me;
        this.ordered = ordered;
    }

    void enter(long token) {
        long inside = slots.get(slot, OWNER);
        if (inside != 0) {
            throw new IllegalStateException("Not exclusive: " + me + " came in while " + inside + " was inside");
        }
        slots.set(slot, OWNER, me);
        if (token != 0 && ordered) {
            long last = slots.get(slot, TOKEN);
            if (token <= last) {
                throw new IllegalStateException("The token " + token + " came after " + last);
            }
            slots.set(slot, TOKEN, token);
        }
        seen = slots.get(slot, COUNTER);
    }

    void leave() {
        slots.set(slot, COUNTER, seen + 1);
        long inside = slots.get(slot, OWNER);
        if (inside != me) {
            throw new IllegalStateException("Not exclusive: " + inside + " came in while " + me + " was inside");
        }
        slots.set(slot, OWNER, 0);
    }
}
