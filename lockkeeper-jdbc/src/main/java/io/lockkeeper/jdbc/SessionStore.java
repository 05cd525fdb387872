package io.lockkeeper.jdbc;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's session locks.
 *
 * <p><b>Invariant.</b> A claim that was released is never granted again. Requests of a keeper come to the server through this object
 * only, in order, so the tombstones are here, and outlast the session.
 *
 * <p>What would break it: tombstones that end with the connection. A late repeat of an attempt, after a reconnect, would be granted
 * a lock that nobody waits for.
 */
final class SessionStore implements Store, NarrowingStore {

    private final SessionLocksBackend backend;
    private final Keeper keeper;
    private final SessionLink link;
    private final boolean shares;
    private final PollBackoff polls = new PollBackoff();
    /** Until when ids of ended claims are refused, in real time. Only the thread of the link uses it. */
    private final Map<String, Deadline> tombstones = new LinkedHashMap<>();

    SessionStore(SessionLocksBackend backend, Keeper keeper, SessionLink link, boolean shares) {
        this.backend = backend;
        this.keeper = keeper;
        this.link = link;
        this.shares = shares;
    }

    @Override
    public Answer attempt(Claim claim) {
        Answer answer;
        try {
            answer = link.call(claim.timeout(), session -> {
                if (isDead(claim.id())) {
                    return new Answer.Refused(Answer.Cause.RELEASED, "The claim was released before");
                }
                Answer granted = session.attempt(claim);
                return granted == null ? wait(session, claim) : granted;
            });
        } catch (UnfitDatabaseException e) {
            return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(e.getMessage()));
        }
        if (!(answer instanceof Answer.Wait)) {
            polls.forget(claim.id());
        }
        return answer;
    }

    private Answer wait(LockSession session, Claim claim) {
        if (claim.queueing() == Claim.Queueing.NEVER) {
            return new Answer.Wait(PollBackoff.once());
        }
        return new Answer.Wait(session.isInTurn(claim) ? JdbcPolicy.TURN_POLL : polls.next(claim.id()));
    }

    private boolean isDead(String claimId) {
        Deadline until = tombstones.get(claimId);
        return until != null && !until.hasPassed();
    }

    private void bury(Release release) {
        // Those at the front are the oldest, and mostly the first to end.
        for (Iterator<Deadline> oldest = tombstones.values().iterator(); oldest.hasNext(); ) {
            if (!oldest.next().hasPassed()) {
                break;
            }
            oldest.remove();
        }
        tombstones.put(release.claimId(), Deadline.in(RetentionTimes.tombstone(release.lease())));
    }

    @Override
    public Release.Outcome release(Release release) {
        polls.forget(release.claimId());
        return link.callIfOpen(release.timeout(), session -> {
            if (release.unanswered()) {
                bury(release);
            }
            return session != null && session.release(release.resource(), release.claimId())
                    ? Release.Outcome.RELEASED
                    : Release.Outcome.NOT_HELD;
        });
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return link.callIfOpen(timeout, session -> {
            if (session != null) {
                session.confirm(JdbcPolicy.SESSION_PING);
            }
            List<Renewal> answers = new ArrayList<>();
            for (Claim claim : held) {
                answers.add(
                        session != null && session.has(claim.id())
                                ? new Renewal.Kept(claim.lease(), false)
                                : new Renewal.Gone(Loss.Reason.SESSION_ENDED));
            }
            return answers;
        });
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return link.callIfOpen(held.timeout(), session -> session != null && session.narrow(held.id()));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return link.call(keeper.commandTimeout(), session -> session.inspect(resource));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        throw new UnsupportedFeatureException(backend.describe() + " has no " + Capability.HOLDERS.what()
                + "; use one of " + Capability.HOLDERS.offeredBy());
    }

    @Override
    public String storeId() {
        return link.call(keeper.commandTimeout(), LockSession::storeId);
    }

    @Override
    public boolean isReachable() {
        return link.isReachable();
    }

    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return type == NarrowingStore.class && !shares ? null : Store.super.ability(type);
    }

    @Override
    public void close() {
        link.close();
    }
}
