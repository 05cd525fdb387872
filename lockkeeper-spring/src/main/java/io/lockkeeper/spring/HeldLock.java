package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was taken for a call.
 *
 * <p><b>Invariant.</b> It is released once, and not before everything that needs it is over: the call, the transaction that was open
 * when the call began, the stage that the method returned. Each of them is one count of {@link #users}; the last to leave
 * releases. Two that leave at the same time cannot both, or neither, be the last.
 *
 * <p>A nested call shares the hold of the outer one, and is one of its users.
 */
final class HeldLock {

    private static final Log LOG = LogFactory.getLog(HeldLock.class);

    private final @Nullable Lockkeeper keeper;
    private final LockRule rule;
    private final List<String> names;
    private final String place;
    private final Hold hold;
    private final Runnable release;
    private final boolean nested;
    private final Set<Object> fenced;
    private volatile boolean keptByTransaction;
    private final AtomicInteger users = new AtomicInteger(1);
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    private final AtomicReference<@Nullable RuntimeException> refusal = new AtomicReference<>();
    private final AtomicReference<@Nullable LockLostException> lost = new AtomicReference<>();

    /** @param release gives the lock back; a loss that it notices is thrown */
    HeldLock(Lockkeeper keeper, LockRule rule, List<String> names, String place, Hold hold, Runnable release) {
        this(keeper, rule, names, place, hold, release, false, ConcurrentHashMap.newKeySet());
    }

    private HeldLock(
            @Nullable Lockkeeper keeper,
            LockRule rule,
            List<String> names,
            String place,
            Hold hold,
            Runnable release,
            boolean nested,
            Set<Object> fenced) {
        this.keeper = keeper;
        this.rule = rule;
        this.names = names;
        this.place = place;
        this.hold = hold;
        this.release = release;
        this.nested = nested;
        this.fenced = fenced;
    }

    /** A leadership, which is neither taken nor released by a call; it covers no lock. */
    static HeldLock ofLeadership(List<String> election, String place, Hold hold) {
        LockRule rule = LockRule.ofLeadership("leadership of " + election);
        return new HeldLock(null, rule, election, place, hold, () -> {}, true, ConcurrentHashMap.newKeySet());
    }

    /**
     * The same hold for a call inside the one that has it, which it may outlast: a stage or a subscription.
     *
     * @return null if the lock has been left by all in the meantime
     */
    @Nullable
    HeldLock nested(LockRule inner, String innerPlace) {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0
                ? null
                : new HeldLock(keeper, inner, names, innerPlace, hold, this::leave, true, fenced);
    }

    boolean isNested() {
        return nested;
    }

    /** The fences by which an open transaction has admitted this hold; shared by the nested ones. */
    Set<Object> fenced() {
        return fenced;
    }

    Hold hold() {
        return hold;
    }

    LockRule rule() {
        return rule;
    }

    List<String> names() {
        return names;
    }

    String place() {
        return place;
    }

    /** Whether a call that asks for these names has them already. */
    boolean covers(Lockkeeper other, LockRule wanted, List<String> wantedNames) {
        return keeper == other
                && rule.isSemaphore() == wanted.isSemaphore()
                && (rule.isSemaphore() || rule.isExclusive() || !wanted.isExclusive())
                && names.containsAll(wantedNames)
                && hold.isHeld();
    }

    /** One more that needs the lock; to be called while another one does. */
    void join() {
        users.incrementAndGet();
    }

    /** A transaction that is open keeps the lock, and the thread has it until then; {@link Holds#exit} and {@link #leave} end that. */
    void keptByTransaction() {
        join();
        keptByTransaction = true;
    }

    boolean isKeptByTransaction() {
        return keptByTransaction;
    }

    /** One less that needs the lock. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                release.run();
            } catch (LockLostException noticedNow) {
                lost.compareAndSet(null, noticedNow);
            } catch (RuntimeException failed) {
                // It must not mask what the method threw; the lock ends with its lease.
                LOG.error("The lock " + names + " of " + place + " could not be released", failed);
            } finally {
                over.complete(null);
            }
        }
    }

    /** Complete when the last has left. */
    CompletableFuture<@Nullable Void> over() {
        return over;
    }

    /** Whether it is a lock of these names, of whatever kind. */
    boolean concerns(Lockkeeper other, List<String> otherNames) {
        return keeper == other && !Collections.disjoint(names, otherNames);
    }

    /** Remembers that a guard has refused this hold: nothing may be committed under it. */
    void refuse(RuntimeException reason) {
        refusal.compareAndSet(null, reason);
    }

    /** Throws if a transaction under this lock must not commit. */
    void checkBeforeCommit() {
        RuntimeException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
        if (rule.onLost() != OnLost.REPORT) {
            hold.ensureHeld();
        }
    }

    /** To be called before the lock is released; null if it is still held. */
    @Nullable
    LockLostException lossSoFar() {
        try {
            hold.ensureHeld();
        } catch (LockLostException now) {
            lost.compareAndSet(null, now);
        } catch (IllegalStateException released) {
            // By the application itself, with the hold that it was given: its own decision.
        }
        return lost.get();
    }

    /** The loss that is to be thrown after the method, if any; {@link OnLost#REPORT} logs it. */
    @Nullable
    LockLostException lossToThrow() {
        LockLostException known = lost.get();
        if (known != null && rule.onLost() == OnLost.REPORT) {
            LOG.warn("The lock " + names + " was lost while " + place + " ran: "
                    + known.loss().reason());
            return null;
        }
        return known;
    }

    @Override
    public String toString() {
        return rule.text() + " " + names + " of " + place;
    }
}
