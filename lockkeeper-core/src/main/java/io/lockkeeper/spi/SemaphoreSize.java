package io.lockkeeper.spi;

import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of a semaphore as a store keeps it: the rules of {@link SizeStore} for stores that are written in Java.
 *
 * <p><b>Invariant.</b> An operation counts once. Were its id not remembered, an addition whose reply was lost and that is sent
 * again would add twice, and more permits would be out than anybody asked for.
 *
 * @param permits how many; 0 if there is no size
 * @param set whether it was set by a {@link SizeStore}, and not given by a claim
 * @param operations the last operations that changed it, the newest at the end
 */
public record SemaphoreSize(int permits, boolean set, List<String> operations) {

    /** No size. */
    public static final SemaphoreSize NONE = new SemaphoreSize(0, false, List.of());

    /** How many operations are remembered. */
    public static final int REMEMBERED = 100;

    public SemaphoreSize {
        operations = List.copyOf(operations);
    }

    /** Whether a claim that names this number, or 0 for none, is to be decided by this size; else it is refused. */
    public boolean accepts(int of) {
        return of == 0 || permits == 0 || set || permits == of;
    }

    /** The size after a claim that names this number, or 0, was accepted. */
    public SemaphoreSize usedWith(int of) {
        return permits == 0 && of > 0 ? new SemaphoreSize(of, set, operations) : this;
    }

    /** Another number that claims have to name; see {@link SemaphoreStore#resize}. */
    public SemaphoreSize resized(int number) {
        return new SemaphoreSize(number, set, operations);
    }

    /** See {@link SizeStore#trySet}. */
    public SemaphoreSize trySet(String operation, int number) {
        return permits > 0 || has(operation) ? this : new SemaphoreSize(number, true, with(operation));
    }

    /** See {@link SizeStore#set}. */
    public SemaphoreSize set(int number) {
        return new SemaphoreSize(number, true, operations);
    }

    /** See {@link SizeStore#add}. */
    public SemaphoreSize add(Resource semaphore, String operation, int change, int ifNone) {
        if (has(operation)) {
            return this;
        }
        long before = permits == 0 ? ifNone : permits;
        long after = before + change;
        if (after < 1 || after > Integer.MAX_VALUE) {
            throw refusal(semaphore, before, change);
        }
        return new SemaphoreSize((int) after, true, with(operation));
    }

    /** Whether that operation changed it. */
    public boolean has(String operation) {
        return operations.contains(operation);
    }

    /** What {@link SizeStore#add} throws if a semaphore of this size cannot be changed by that. */
    public static IllegalArgumentException refusal(Resource semaphore, long before, int change) {
        return new IllegalArgumentException("The " + semaphore + " has " + before + " permits, so it cannot have "
                + (before + change) + "; change it by another number than " + change + ", so that 1 to "
                + Integer.MAX_VALUE + " are left");
    }

    /** Checks a number of permits that is to be set. */
    public static void check(Resource semaphore, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException(
                    "The " + semaphore + " cannot have " + permits + " permits; give it at least 1");
        }
    }

    private List<String> with(String operation) {
        List<String> more = new ArrayList<>(operations);
        more.add(operation);
        return more.subList(Math.max(0, more.size() - REMEMBERED), more.size());
    }
}
