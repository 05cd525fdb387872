package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store has given to this keeper: a claim that holds, its block of tokens, and until when it surely holds.
 *
 * <p><b>Invariant.</b> The deadline is the moment just before the last successful request was <em>sent</em>, plus what
 * the store promised, less a margin for clocks that run apart. Counting from the reply would break it: the store counts
 * from when it executed the request, and a reply may be on its way for any time.
 *
 * <p>A grant in a {@link Session} ends with the session at the latest. Its lease may be longer: with the deadline of the lease alone
 * its holder would believe in it after the store has ended the session. Or shorter: with the end of the session alone it would
 * believe in it though the store has not confirmed the grant itself for as long as its lease.
 *
 * <p>The deadline is moved by the engine and read by any thread. The first thread that sees it passed marks the grant as
 * over, for good: a wall clock that jumped forward and back again resurrects nothing. That mark is not part of the state
 * below, which the engine alone changes; a grant that is over becomes ENDED when the engine notices it.
 *
 * <p><b>States.</b> {@link #become} is the only place where the state changes; any change that is not in this table throws.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>to</th><th>when</th></tr>
 *   <tr><td>HELD</td><td>HELD</td><td>another waiter shares it, or has it after the last holder</td></tr>
 *   <tr><td>HELD</td><td>OPEN</td><td>the last holder released it, and the head of the queue was called for it</td></tr>
 *   <tr><td>HELD</td><td>IDLE</td><td>the last holder released it, and it is sticky and stays here</td></tr>
 *   <tr><td>HELD</td><td>RELEASING</td><td>the last holder released it, and the store is to be told</td></tr>
 *   <tr><td>OPEN, IDLE</td><td>HELD</td><td>a waiter takes it</td></tr>
 *   <tr><td>IDLE</td><td>RETURNING</td><td>recalled, kept long enough, or of no use to the waiter that arrives</td></tr>
 *   <tr><td>RELEASING, RETURNING</td><td>ENDED</td><td>the store answered, or a release in the background takes over</td></tr>
 *   <tr><td>HELD, OPEN, IDLE</td><td>ENDED</td><td>lost; or open, and no waiter is left to take it</td></tr>
 *   <tr><td>RELEASING, RETURNING</td><td>ENDED</td><td>the keeper is closed before the store answered</td></tr>
 * </table>
 *
 * <p>RELEASING and RETURNING differ in what a waiter here may expect: a grant that was idle is returned because it is
 * wanted in another way, which takes a moment only, so a single try may wait for it.
 */
public final class Grant {

    /** Where a grant is on its way; see the table in {@link Grant}. */
    enum State {
        /** At least one hold uses it. */
        HELD,
        /** Nobody's: the head of the queue was called for it, and a newcomer may take it first. */
        OPEN,
        /** Sticky, and kept though nobody holds it or waits for it here. */
        IDLE,
        /** Released by its last holder, and the store is being told. */
        RELEASING,
        /** Was idle, and the store is being told that it is not kept any more. */
        RETURNING,
        /** Not known to the engine any more. */
        ENDED;

        boolean mayBecome(State next) {
            return switch (this) {
                case HELD -> next == HELD || next == OPEN || next == IDLE || next == RELEASING || next == ENDED;
                case OPEN -> next == HELD || next == ENDED;
                case IDLE -> next == HELD || next == RETURNING || next == ENDED;
                case RELEASING, RETURNING -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    private final boolean fixed;
    private final boolean unanswered;
    private final long firstToken;
    private final int tokens;
    private final Moment grantedAt;
    private final @Nullable Session session;

    private volatile Claim claim;
    private volatile AcquireRequest request;
    private volatile Contact contact;
    /** Just before the last request was sent that the store answered. */
    private volatile Moment heardAt;

    /** Whether a thread saw the deadline passed, or the engine gave the grant up. Never taken back. */
    private volatile boolean over;

    private volatile boolean renewalFailed;

    private State state = State.HELD;
    private final List<EngineHold> holdings = new ArrayList<>(1);
    /** How many holds it has served so far. */
    private int holds;
    /** When it was first released, which is when a row of hand-offs begins; on the monotonic clock. */
    private long firstReleasedAt;
    /** Whether the last renewal said that other keepers wait. */
    private boolean othersWait;
    /** Whether another keeper recalled it: from then on it is neither kept nor handed on. */
    private boolean recalled;
    /** Downgraded from exclusive or larger: its tokens are the writer's, so no reader may join. */
    private boolean narrowed;
    /** How long the last hold's request wants it kept after the release. */
    private Duration keepFor = Duration.ZERO;
    /** Until when it is kept while it is idle, on the monotonic clock. */
    private long keptUntil;
    /** Whether a timer is set that calls {@link ResourceEngine#keptLongEnough}; {@link StickyGrants} alone writes it. */
    boolean watched;

    /**
     * Creates a grant from the store's answer.
     *
     * @param sentAt just before the request was sent that was answered so
     * @param unanswered whether a request of this claim may still be under way
     */
    Grant(Claim claim, AcquireRequest request, Answer.Granted answer, Moment sentAt, boolean unanswered) {
        this.claim = claim;
        this.request = request;
        this.fixed = claim.fixed();
        this.unanswered = unanswered;
        this.firstToken = answer.token();
        this.tokens = answer.tokens();
        this.grantedAt = sentAt;
        this.session = answer.session();
        // A store without leases never ends it: then it ends here, and the store is told.
        boolean endless = fixed && answer.validity().compareTo(claim.lease()) > 0;
        this.contact = new Contact(sentAt, validity(endless ? claim.lease() : answer.validity()));
        this.heardAt = sentAt;
    }

    private static long validity(Duration promised) {
        if (promised.compareTo(Answer.FOREVER) >= 0) {
            return Long.MAX_VALUE;
        }
        return LeaseTimes.usable(promised).toNanos();
    }

    public Resource resource() {
        return claim.resource();
    }

    /** The claim as it stands, narrowed if it was. */
    public Claim claim() {
        return claim;
    }

    public String id() {
        return claim.id();
    }

    AcquireRequest request() {
        return request;
    }

    boolean unanswered() {
        return unanswered;
    }

    /** How many holds of this process it has served so far. */
    public int holds() {
        return holds;
    }

    /** The holds that use it now. */
    public List<EngineHold> holdings() {
        return holdings;
    }

    /** Whether it is to be renewed at all. */
    public boolean renewed() {
        return !fixed;
    }

    /**
     * Nanoseconds between renewals: a third of the lease, or of the session's timeout if that is shorter. A fixed grant is only
     * confirmed in this rhythm, and at least once a minute.
     */
    public long period() {
        Duration lease = claim.lease();
        Duration shorter = session == null || session.timeout().compareTo(lease) > 0 ? lease : session.timeout();
        long period = LeaseTimes.renewEvery(shorter).toNanos();
        return fixed ? Math.min(period, KeeperPolicy.LONGEST_UNCONFIRMED.toNanos()) : period;
    }

    /** Whether it is in a session, which ends with the keeper's access to the store. */
    boolean isInSession() {
        return session != null;
    }

    /** Whether the store has ended the session that it is in. */
    boolean isSessionEnded() {
        return session != null && session.isEnded();
    }

    /** Whether the session that it is in is over for this keeper, so that the store gives it up with all that is in it. */
    boolean isSessionOver(Moment now) {
        return session != null && session.isOver(now);
    }

    // ------------------------------------------------------------------------------------------------------- state

    State state() {
        return state;
    }

    /** Changes the state; throws if the table in the class comment has no such change. */
    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("Grant " + id() + " cannot change from " + state + " to " + next);
        }
        state = next;
    }

    /** Whether nobody holds it and it is kept because it is sticky; it is not renewed then. */
    public boolean isIdle() {
        return state == State.IDLE;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether it was idle and is on its way back to the store. */
    boolean isReturning() {
        return state == State.RETURNING;
    }

    /** Whether it is this keeper's: neither on its way back nor ended. */
    boolean isKept() {
        return state == State.HELD || state == State.OPEN || state == State.IDLE;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Gives it to one more hold. */
    void serve(EngineHold hold, Duration keepAfterwards) {
        become(State.HELD);
        holds++;
        keepFor = keepAfterwards;
        holdings.add(hold);
    }

    /** Replaces a hold by the one that it was turned into. */
    void replace(EngineHold old, EngineHold next) {
        holdings.remove(old);
        holdings.add(next);
    }

    /**
     * A hold does not use it any more.
     *
     * @return whether it did until now
     */
    boolean drop(EngineHold hold) {
        return holdings.remove(hold);
    }

    /** A hold is released; a row of hand-offs begins with the first release. */
    void released(Moment now, EngineHold hold) {
        holdings.remove(hold);
        if (holds == 1) {
            firstReleasedAt = now.mono();
        }
    }

    /** Leaves it to the head of the queue, which is called, or to a newcomer that is faster. */
    void leaveOpen() {
        become(State.OPEN);
    }

    /** Keeps it while nobody holds it, but not longer than a waiter could still take it. */
    void keepIdle(Moment now) {
        become(State.IDLE);
        long surely = contact.sentAt.mono() + period() + claim.timeout().toNanos();
        keptUntil = Math.min(now.mono() + keepFor.toNanos(), surely);
    }

    /** It goes back to the store: from here on nobody can have it. */
    void sendBack() {
        become(state == State.IDLE ? State.RETURNING : State.RELEASING);
        over = true;
    }

    /** The engine forgets it. */
    void end() {
        become(State.ENDED);
        over = true;
    }

    // ------------------------------------------------------------------------------------------ sticky, wanted, rows

    /** Whether the store knows that it may be kept here, and recalls it when others want it. */
    boolean isSticky() {
        return claim.sticky() && !narrowed;
    }

    /** Whether the last hold's request wants it kept after the release. */
    boolean isToBeKept() {
        return isSticky() && !keepFor.isZero();
    }

    boolean isNarrowed() {
        return narrowed;
    }

    /** Another keeper wants it. */
    void recall() {
        recalled = true;
    }

    /** A renewal said whether other keepers wait. */
    void noteOthersWait(boolean wait) {
        othersWait = wait;
    }

    boolean othersWait() {
        return othersWait;
    }

    /** Whether other keepers want it. The answer to a renewal says so too, in case every recall was lost. */
    boolean isWanted() {
        return recalled || othersWait;
    }

    /** Until when it is kept while nobody holds it, on the monotonic clock. */
    public long keptUntil() {
        return keptUntil;
    }

    /** When it was first released, on the monotonic clock. */
    long firstReleasedAt() {
        return firstReleasedAt;
    }

    boolean hasToken() {
        return holds < tokens;
    }

    /** The token of the next hold: each has its own, except that holds which share a grant share its first. */
    long nextToken() {
        return request.shareable() ? firstToken : firstToken + holds;
    }

    /** Nanoseconds for which it surely holds if nothing more is heard; 0 once that has passed, for good. */
    public long remaining(Moment now) {
        if (over) {
            return 0;
        }
        long remaining = contact.remaining(now);
        if (session != null) {
            remaining = Math.min(remaining, session.remaining(now));
        }
        if (remaining <= 0) {
            over = true;
            return 0;
        }
        return remaining;
    }

    /** Whether a renewal that was due has not succeeded. */
    boolean uncertain(Moment now) {
        if (session != null && session.isUncertain(now)) {
            return true;
        }
        Contact last = contact;
        if (fixed || last.validity == Long.MAX_VALUE) {
            return false;
        }
        return renewalFailed
                || now.since(last.sentAt) > period() + claim.timeout().toNanos();
    }

    /** Just before the last successful request was sent. */
    public Moment contactAt() {
        return contact.sentAt;
    }

    /** Just before the last request was sent that the store answered: of a fixed grant that moves nothing but this. */
    public Moment heardAt() {
        return heardAt;
    }

    /** When it will have ended by the monotonic clock, if nothing more is heard. Contacts of a session move it without notice. */
    public long deadline() {
        Contact last = contact;
        long own = last.validity == Long.MAX_VALUE ? Long.MAX_VALUE : last.sentAt.mono() + last.validity;
        return session == null ? own : Math.min(own, session.deadline());
    }

    Moment grantedAt() {
        return grantedAt;
    }

    /** @return whether it counts: an answer after the deadline resurrects nothing */
    boolean renew(Moment now, Moment sentAt, Duration promised) {
        if (remaining(now) <= 0) {
            return false;
        }
        heardAt = sentAt;
        if (fixed) {
            // Confirmed, never moved: what the store promises now may count from now, and the lease does not.
            return !over;
        }
        contact = new Contact(sentAt, validity(promised));
        renewalFailed = false;
        // Another thread may have seen the old deadline pass just before the line above: that stands.
        return !over;
    }

    /**
     * Notes that its holder wants it to last for this lease from now.
     *
     * @return the claim to extend in the store. The claim is known by the longer lease from here on, since the store may
     *     keep it for that long whether it answers or not
     */
    Claim extending(Duration lease) {
        Claim before = claim;
        Claim longer = before.withLease(lease);
        if (lease.compareTo(before.lease()) > 0) {
            claim = longer;
        }
        return longer;
    }

    /**
     * The store extended it. It never gets shorter: the store keeps it for as long as the longest answer said.
     *
     * @return whether it counts: an answer after the deadline resurrects nothing
     */
    boolean extend(Moment now, Moment sentAt, Duration promised) {
        if (remaining(now) <= 0) {
            return false;
        }
        heardAt = sentAt;
        Contact next = new Contact(sentAt, validity(promised));
        if (next.remaining(now) > contact.remaining(now)) {
            contact = next;
        }
        // Another thread may have seen the old deadline pass just before the line above: that stands.
        return !over;
    }

    /** @return whether the grant becomes uncertain by this; a fixed one never does, since its lease does not depend on renewals */
    boolean renewalFailed() {
        boolean news = !renewalFailed && !fixed;
        renewalFailed = true;
        return news;
    }

    void narrow(Mode to) {
        narrowed = true;
        request = new AcquireRequest(to, request.lease(), request.fixed(), request.fair(), request.portable());
        claim = claim.withMode(to);
    }

    private record Contact(Moment sentAt, long validity) {

        long remaining(Moment now) {
            return validity == Long.MAX_VALUE ? validity : validity - now.since(sentAt);
        }
    }
}
