package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the store has given to this keeper: a claim that holds, its block of tokens, and until when it surely holds.
 *
 * <p><b>Invariant.</b> The deadline is the moment just before the last successful request was <em>sent</em>, plus what
 * the store promised, less a margin for clocks that run apart. Counting from the reply would break it: the store counts
 * from when it executed the request, and a reply may be on its way for as long as it likes.
 *
 * <p>The deadline is moved by the engine and read by any thread. Whoever first sees it passed marks the grant as ended,
 * for good: a wall clock that jumped forward and back again resurrects nothing.
 */
public final class Grant {

    private final boolean fixed;
    private final boolean unanswered;
    private final long firstToken;
    private final int tokens;
    private final Moment grantedAt;

    private volatile Claim claim;
    private volatile AcquireRequest request;
    private volatile Contact contact;
    /** Just before the last request was sent that the store answered. */
    private volatile Moment heardAt;

    private volatile boolean ended;
    private volatile boolean renewalFailed;

    final List<EngineHold> holdings = new ArrayList<>(1);
    int holds;
    long passingSince;
    boolean releasing;
    boolean othersWait;
    /** Whether another keeper recalled it: from then on it is neither kept nor handed on. */
    boolean recalled;
    /** How long the last who was given it wants it kept after him. */
    Duration keepFor = Duration.ZERO;
    /** Whether nobody holds it and it is kept for whoever comes next. Changed in one step with serving or returning it. */
    private boolean idle;
    /** Until when it is kept, on the monotonic clock. */
    private long keptUntil;
    /** Whether somebody will look when that moment has come. */
    boolean watched;
    /** Whether it was idle and is on its way back to the store. */
    boolean returning;
    /** Whether it was more once: its tokens are those of a writer, so readers do not join it. */
    boolean narrowed;

    /**
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
        // A store without leases never ends it: then it ends here, and the store is told.
        boolean endless = fixed && answer.validity().compareTo(claim.lease()) > 0;
        this.contact = new Contact(sentAt, validity(endless ? claim.lease() : answer.validity()));
        this.heardAt = sentAt;
    }

    private static long validity(Duration promised) {
        if (promised.compareTo(Answer.FOREVER) >= 0) {
            return Long.MAX_VALUE;
        }
        return Protocol.usable(promised).toNanos();
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

    /** How many threads of this process have been given it so far. */
    public int holds() {
        return holds;
    }

    public List<EngineHold> holdings() {
        return holdings;
    }

    /** Whether it is to be renewed at all. */
    public boolean renewed() {
        return !fixed;
    }

    /**
     * Nanoseconds between renewals. A fixed grant is only confirmed in this rhythm, and at least once a minute.
     */
    public long period() {
        long period = Protocol.renewEvery(claim.lease()).toNanos();
        return fixed ? Math.min(period, Pacing.LONGEST_UNCONFIRMED.toNanos()) : period;
    }

    /** Whether the store knows that it may be kept here, and asks for it. */
    boolean isSticky() {
        return claim.sticky() && !narrowed;
    }

    /** Whether nobody holds it and it is kept for whoever comes next; it is not renewed then. */
    public boolean isIdle() {
        return idle;
    }

    /** Whether other keepers want it. The renewal's answer says so too, in case that every word was lost. */
    boolean isWanted() {
        return recalled || othersWait;
    }

    /** Until when it is kept while nobody holds it, on the monotonic clock. */
    public long keptUntil() {
        return keptUntil;
    }

    /** Nobody holds it: it is kept for so long, but not longer than anybody could still take it. */
    void keep(Moment now) {
        idle = true;
        long surely = contact.sentAt.mono() + period() + claim.limit().toNanos();
        keptUntil = Math.min(now.mono() + keepFor.toNanos(), surely);
    }

    void keepNoLonger() {
        idle = false;
    }

    boolean hasToken() {
        return holds < tokens;
    }

    /** Each holder's token is its own, except that those who share a grant share its first. */
    long nextToken() {
        return request.shareable() ? firstToken : firstToken + holds;
    }

    /** Nanoseconds for which it surely holds if nothing more is heard; 0 once that has passed, for good. */
    public long remaining(Moment now) {
        if (ended) {
            return 0;
        }
        Contact last = contact;
        if (last.validity == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long remaining = last.validity - now.since(last.sentAt);
        if (remaining <= 0) {
            ended = true;
            return 0;
        }
        return remaining;
    }

    /** Whether a renewal that was due has not succeeded. */
    boolean uncertain(Moment now) {
        Contact last = contact;
        if (fixed || last.validity == Long.MAX_VALUE) {
            return false;
        }
        return renewalFailed
                || now.since(last.sentAt) > period() + claim.limit().toNanos();
    }

    /** Just before the last successful request was sent. */
    public Moment contactAt() {
        return contact.sentAt;
    }

    /** Just before the last request was sent that the store answered: of a fixed grant that moves nothing but this. */
    public Moment heardAt() {
        return heardAt;
    }

    /** When it will have ended by the monotonic clock, if nothing more is heard. */
    public long deadline() {
        Contact last = contact;
        return last.validity == Long.MAX_VALUE ? Long.MAX_VALUE : last.sentAt.mono() + last.validity;
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
            return !ended;
        }
        contact = new Contact(sentAt, validity(promised));
        renewalFailed = false;
        // Somebody may have seen the old deadline pass just before the line above: his word stands.
        return !ended;
    }

    /**
     * Its holder wants it to last for this lease from now.
     *
     * @return the claim to extend in the store. The claim is known by the longer lease from here on, since the store may
     *     keep it for so long whether it answers or not
     */
    Claim extending(Duration lease) {
        Claim before = claim;
        Claim asked = before.withLease(lease);
        if (lease.compareTo(before.lease()) > 0) {
            claim = asked;
        }
        return asked;
    }

    /**
     * The store extended it. It never gets shorter: the store keeps it for as long as the longest answer said.
     *
     * @return whether it counts: an answer after the deadline resurrects nothing
     */
    boolean extend(Moment now, Moment sentAt, Duration promised) {
        long before = remaining(now);
        if (before <= 0) {
            return false;
        }
        heardAt = sentAt;
        Contact next = new Contact(sentAt, validity(promised));
        if (before != Long.MAX_VALUE && next.validity - now.since(sentAt) > before) {
            contact = next;
        }
        // Somebody may have seen the old deadline pass just before the line above: his word stands.
        return !ended;
    }

    /** @return whether this is news; of what is fixed it is none, since its lease does not depend on renewals */
    boolean renewalFailed() {
        boolean news = !renewalFailed && !fixed;
        renewalFailed = true;
        return news;
    }

    void end() {
        ended = true;
    }

    void narrow(Mode to) {
        narrowed = true;
        request = new AcquireRequest(to, request.lease(), request.fixed(), request.fair(), request.portable());
        claim = claim.withMode(to);
    }

    private record Contact(Moment sentAt, long validity) {}
}
