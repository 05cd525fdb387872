package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.Loss;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Renewals;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Renews grants in time, and notices those whose time is over. The timer thread only looks and hands out; requests run on
 * threads reserved for them, at most one for each node of the store and pace of renewal.
 */
final class RenewalService implements KeeperTimer.Watch {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final KeeperCore core;
    private final Executor requests;
    private final Renewals renewals = new Renewals();
    private final ReentrantLock lock = new ReentrantLock();

    /** @param requests runs renewals, never behind anything else */
    RenewalService(KeeperCore core, Executor requests) {
        this.core = core;
        this.requests = requests;
    }

    /** Takes note of what is held from now on, and what is not any more. */
    void update(Effects effects) {
        if (effects.begun.isEmpty() && effects.ended.isEmpty() && effects.doubted.isEmpty()) {
            return;
        }
        long next;
        lock.lock();
        try {
            for (Grant grant : effects.begun) {
                renewals.add(grant, core.store().node(grant.resource()));
            }
            for (Grant grant : effects.ended) {
                renewals.remove(grant);
            }
            for (Grant grant : effects.doubted) {
                renewals.hasten(grant, core.now());
            }
            next = effects.begun.isEmpty() && effects.doubted.isEmpty() ? Long.MAX_VALUE : renewals.next();
        } finally {
            lock.unlock();
        }
        if (next != Long.MAX_VALUE) {
            core.alarms().nudge(next);
        }
    }

    @Override
    public long next() {
        lock.lock();
        try {
            return renewals.next();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void look() {
        List<Grant> ended;
        List<Renewals.Batch> due;
        Moment now = core.now();
        lock.lock();
        try {
            ended = renewals.ended(now);
            due = renewals.due(now);
        } finally {
            lock.unlock();
        }
        for (Grant grant : ended) {
            try {
                core.at(grant.resource(), slot -> slot.engine.expire(now, grant));
            } catch (RuntimeException | Error unexpected) {
                LOG.log(System.Logger.Level.ERROR, "The end of " + grant.resource() + " was not noted yet", unexpected);
            }
        }
        for (Renewals.Batch batch : due) {
            try {
                requests.execute(() -> renew(batch));
            } catch (RuntimeException | Error notBegun) {
                LOG.log(System.Logger.Level.WARNING, "A renewal could not be begun; it is tried again", notBegun);
                done(batch);
            }
        }
    }

    private void renew(Renewals.Batch batch) {
        try {
            List<Grant> wanted = new ArrayList<>(batch.grants().size());
            List<Claim> claims = new ArrayList<>(batch.grants().size());
            Duration limit = core.commandLimit();
            for (Grant grant : batch.grants()) {
                if (isWanted(grant)) {
                    wanted.add(grant);
                    claims.add(grant.claim());
                    limit = grant.claim().limit().compareTo(limit) < 0
                            ? grant.claim().limit()
                            : limit;
                }
            }
            if (!wanted.isEmpty()) {
                ask(wanted, claims, limit);
            }
        } finally {
            done(batch);
        }
    }

    /** Whatever happened: as long as a request counts as under way, nothing else of that node is renewed. */
    private void done(Renewals.Batch batch) {
        lock.lock();
        try {
            renewals.done(batch, core.now(), grant -> nodeOf(grant, batch.node()));
        } finally {
            lock.unlock();
        }
        core.alarms().nudge(next());
    }

    private String nodeOf(Grant grant, String before) {
        try {
            return core.store().node(grant.resource());
        } catch (RuntimeException | Error unexpected) {
            return before;
        }
    }

    private void ask(List<Grant> wanted, List<Claim> claims, Duration limit) {
        StoreReply<List<Renewal>> reply =
                core.calls().send(() -> core.store().renew(claims, limit), RenewalService::silence);
        List<Renewal> answers = reply.answer();
        RuntimeException failure = reply.failure();
        Moment sentAt = reply.sentAt();
        Moment now = core.now();
        for (int i = 0; i < wanted.size(); i++) {
            Grant grant = wanted.get(i);
            Renewal answer = answers == null || i >= answers.size() ? null : answers.get(i);
            if (answer == null || answer instanceof Renewal.Unknown) {
                uncertain(grant, now, answer instanceof Renewal.Unknown unknown ? unknown.failure() : failure);
            } else {
                core.at(grant.resource(), slot -> slot.engine.renewed(now, grant, sentAt, answer));
            }
        }
        KeeperListener listener = core.settings().listener();
        if (listener != null && failure == null) {
            Duration took = Duration.ofNanos(now.mono() - sentAt.mono());
            core.workers().callback(() -> listener.renewed(new Events.Renewed(wanted.size(), took)));
        }
    }

    /** A store that knows nothing of any of them did not answer, as far as anybody can tell. */
    private static @Nullable RuntimeException silence(List<Renewal> answers) {
        RuntimeException failure = null;
        for (Renewal answer : answers) {
            if (!(answer instanceof Renewal.Unknown unknown)) {
                return null;
            }
            failure = unknown.failure();
        }
        return failure;
    }

    private void uncertain(Grant grant, Moment now, @Nullable RuntimeException failure) {
        KeeperListener listener = core.settings().listener();
        boolean[] news = {false};
        core.at(grant.resource(), slot -> {
            news[0] = slot.engine.renewalFailed(now, grant);
            if (news[0] && listener != null) {
                // Here, so that no loss of the same hold is told before.
                for (EngineHold holding : grant.holdings()) {
                    HoldRecord record = HoldRecord.of(holding);
                    if (record != null) {
                        record.tell(
                                () -> listener.uncertain(new Events.Uncertain(holding.resource(), holding.token())));
                    }
                }
            }
        });
        if (news[0]) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Renewing {0} failed, it is uncertain until it succeeds ({1})",
                    grant.resource(),
                    failure == null ? "no answer" : failure.getMessage());
        }
        if (failure != null) {
            core.calls().tellFailed(grant.resource(), failure);
        }
    }

    /**
     * Whether anybody would miss it. A fixed lease that was taken and dropped needs no asking about. What is only kept for later is left to end, unless it is taken before. A thread that
     * ended without unlocking will never unlock: its lock is left to end with its lease. Where there is no lease, or others
     * share the grant and it goes on, the hold is ended here.
     */
    private boolean isWanted(Grant grant) {
        boolean[] unwanted = {false};
        core.at(grant.resource(), slot -> {
            if (!grant.renewed()) {
                unwanted[0] = grant.holdings().stream().noneMatch(RenewalService::isMissed);
                return;
            }
            List<EngineHold> dead = new ArrayList<>(0);
            for (EngineHold holding : grant.holdings()) {
                if (holding.owner() instanceof Thread thread && !thread.isAlive()) {
                    HoldRecord record = HoldRecord.of(holding);
                    if (record != null) {
                        record.reportDeadOwner(thread);
                    }
                    dead.add(holding);
                }
            }
            boolean abandoned =
                    !dead.isEmpty() && dead.size() == grant.holdings().size();
            unwanted[0] = abandoned || grant.isIdle();
            if (!abandoned || !core.terms().leases()) {
                dead.forEach(holding -> slot.engine.lose(core.now(), holding, Loss.Reason.EXPIRED));
            }
        });
        return !unwanted[0];
    }

    private static boolean isMissed(EngineHold holding) {
        HoldRecord record = HoldRecord.of(holding);
        return record == null || record.isMissed();
    }
}
