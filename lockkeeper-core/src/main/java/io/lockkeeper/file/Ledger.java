package io.lockkeeper.file;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.WaiterTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The record of one resource: its holders, its waiters, and the last token. A plain value that is read, changed and
 * written back within one operation.
 *
 * <p>Waiting is first come, first served, with one exception: a claim that comes while it is free may take it before
 * waiters that have waited for less than {@value FilePolicy#LETS_PASS_MILLIS} ms. As waiters only poll, strict order would leave the resource idle between
 * any two holders; without any order a busy process would never let another one in, and readers never a writer.
 */
final class Ledger {

    /**
     * @param ends when a fixed lease ends, in milliseconds of the machine's wall clock; {@link #NEVER} for all others. If that
     *     clock is set forward the holder notices too; if it is set back others only wait longer.
     */
    record Held(String claim, String session, Mode mode, long token, int tokens, long ends, HolderInfo holder) {

        /** How long it holds from now on. */
        Duration remaining() {
            return ends == NEVER ? Answer.FOREVER : Duration.ofMillis(Math.max(0, ends - machineMillis()));
        }

        boolean isOver() {
            return ends != NEVER && machineMillis() >= ends;
        }

        int permits() {
            return mode instanceof Mode.Permits permits ? permits.count() : 0;
        }

        Held with(Mode newMode) {
            return new Held(claim, session, newMode, token, tokens, ends, holder);
        }
    }

    private static final long NEVER = Long.MAX_VALUE;

    private static long machineMillis() {
        return Clocks.system().now().wall() / 1_000_000;
    }

    /** @param polled when it polled last, by the wall clock; only a hint of whether it is still there */
    record Waiting(String claim, String session, Mode mode, long since, long polled) {
        private boolean isSilent(long now) {
            return Math.abs(now - polled) > WaiterTimes.SILENT_AFTER.toMillis();
        }
    }

    /** @param operations empty once the count is zero */
    record Latch(long generation, int target, String begunBy, Set<String> operations) {
        int count() {
            return target - operations.size();
        }
    }

    final Resource resource;
    /** The last token that was given. */
    long counter;
    /** The machine's start in which this was written. */
    String boot = "none";
    /** Of a semaphore. */
    SemaphoreSize size = SemaphoreSize.NONE;
    /** The file was given up and is deleted; a process that still has it open must open it anew. */
    boolean purged;

    /** Of a latch that was set and not deleted. */
    @Nullable
    Latch latch;

    final List<Held> held = new ArrayList<>();
    final List<Waiting> waiting = new ArrayList<>();

    Ledger(Resource resource) {
        this.resource = resource;
    }

    @Nullable
    Held held(String claim) {
        for (Held one : held) {
            if (one.claim.equals(claim)) {
                return one;
            }
        }
        return null;
    }

    /** The place in the queue, from 0; -1 if it has none. */
    int place(String claim) {
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).claim.equals(claim)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a claim can have it now. */
    boolean admits(Claim claim, long now) {
        return fits(claim.mode()) && !hasToYield(claim, now);
    }

    private boolean fits(Mode mode) {
        long taken = 0;
        for (Held one : held) {
            if (mode instanceof Mode.Exclusive || one.mode.getClass() != mode.getClass()) {
                return false;
            }
            taken += one.permits();
        }
        return !(mode instanceof Mode.Permits wanted) || taken + wanted.count() <= size.permits();
    }

    private boolean hasToYield(Claim claim, long now) {
        for (Waiting ahead : waiting) {
            if (ahead.claim.equals(claim.id())) {
                return false;
            }
            boolean together = claim.mode() instanceof Mode.Shared && ahead.mode instanceof Mode.Shared;
            boolean beyond = ahead.mode instanceof Mode.Permits wanted && wanted.count() > size.permits();
            if (!together && !beyond && !ahead.isSilent(now) && now - ahead.since >= FilePolicy.LETS_PASS_MILLIS) {
                return true;
            }
        }
        return false;
    }

    /** Forgets what is in the name of dead sessions, and fixed leases that are over. */
    void bury(Predicate<String> isAlive) {
        Map<String, Boolean> known = new HashMap<>();
        Predicate<String> dead = session -> !known.computeIfAbsent(session, isAlive::test);
        held.removeIf(one -> one.isOver() || dead.test(one.session));
        waiting.removeIf(one -> dead.test(one.session));
    }

    /**
     * Gives a claim the resource, with tokens above all that were given and not below the clock. There are no more of them
     * than microseconds have passed, so that the counter does not run ahead of the clock: should the file be deleted,
     * the clock alone still tells which tokens are new.
     */
    Held grant(Claim claim, String session, long micros) {
        leave(claim.id());
        int tokens = (int) Math.max(1, Math.min(claim.tokens(), micros - counter));
        long first = draw(tokens, micros);
        Held grant = new Held(claim.id(), session, claim.mode(), first, tokens, endOf(claim), claim.holder());
        held.add(grant);
        return grant;
    }

    private static long endOf(Claim claim) {
        return claim.fixed() ? machineMillis() + claim.lease().toMillis() + 1 : NEVER;
    }

    /** A fixed lease begins anew; one that lasts longer already stays as it is. */
    void extend(Held grant, Claim claim) {
        long ends = Math.max(grant.ends, endOf(claim));
        held.set(
                held.indexOf(grant),
                new Held(grant.claim, grant.session, grant.mode, grant.token, grant.tokens, ends, grant.holder));
    }

    /** Draws tokens. */
    long draw(int count, long micros) {
        long first = Math.max(counter + 1, micros);
        counter = first + count - 1;
        return first;
    }

    /** @return whether it held */
    boolean end(String claim) {
        return held.removeIf(one -> one.claim.equals(claim));
    }

    /** @return whether it waited */
    boolean leave(String claim) {
        return waiting.removeIf(one -> one.claim.equals(claim));
    }

    /** Notes a waiter, or that it is still there. */
    void queue(Claim claim, String session, long now) {
        int place = place(claim.id());
        if (place < 0) {
            waiting.removeIf(one -> one.isSilent(now) && !one.session.equals(session));
            waiting.add(new Waiting(claim.id(), session, claim.mode(), now, now));
        } else {
            Waiting old = waiting.get(place);
            waiting.set(place, new Waiting(old.claim, session, old.mode, old.since, now));
        }
    }

    boolean isStamped(String claim, long now) {
        int place = place(claim);
        return place >= 0 && Math.abs(now - waiting.get(place).polled) < WaiterTimes.LONGEST_POLL.toMillis();
    }

    boolean othersWait(String session, long now) {
        for (Waiting one : waiting) {
            if (!one.session.equals(session) && !one.isSilent(now)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes a grant smaller; one that is as small already stays as it is.
     *
     * @return false if the claim does not hold
     */
    boolean narrow(String claim, Mode to) {
        for (int i = 0; i < held.size(); i++) {
            Held one = held.get(i);
            if (one.claim.equals(claim)) {
                boolean less = one.mode instanceof Mode.Permits
                        ? to instanceof Mode.Permits fewer && fewer.count() < one.permits()
                        : one.mode instanceof Mode.Exclusive && to instanceof Mode.Shared;
                if (less) {
                    held.set(i, one.with(to));
                }
                return true;
            }
        }
        return false;
    }
}
