package io.lockkeeper.shell;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.Loss;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.RenewalRequest;
import io.lockkeeper.engine.Renewals;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Renews grants in time, and notices those whose deadline has passed. The timer thread only finds what is due; requests run on
 * threads reserved for them, at most one for each node of the store and renewal period.
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

    /** Adds the grants that are held from now on, and removes those that are not any more. */
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
                LOG.log(
                        System.Logger.Level.ERROR,
                        "The end of the grant of " + grant.resource() + " could not be processed yet",
                        unexpected);
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
            RenewalRequest request = new RenewalRequest(batch.grants().size(), core.commandTimeout());
            for (Grant grant : batch.grants()) {
                if (isWanted(grant)) {
                    request.add(grant);
                }
            }
            if (!request.isEmpty()) {
                send(request);
            }
        } finally {
            done(batch);
        }
    }

    /** Called whatever happened: while a request counts as under way, nothing else of that node is renewed. */
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

    private void send(RenewalRequest request) {
        StoreReply<List<Renewal>> reply = core.calls()
                .send(() -> core.store().renew(request.claims(), request.timeout()), RenewalRequest::outage);
        Moment now = core.now();
        int unknown = 0;
        for (int i = 0; i < request.grants().size(); i++) {
            unknown += replied(request, i, now, reply) ? 0 : 1;
        }
        KeeperListener listener = core.settings().listener();
        if (listener != null) {
            Duration took = Duration.ofNanos(now.mono() - reply.sentAt().mono());
            tell(listener, request.grants().size(), unknown, !reply.failed(), took);
        }
    }

    private void tell(KeeperListener listener, int sent, int unknown, boolean answered, Duration took) {
        String backend = core.backendName();
        if (answered) {
            core.workers().callback(() -> listener.renewed(new Events.Renewed(backend, sent, took)));
        }
        if (unknown > 0) {
            core.workers().callback(() -> listener.renewalFailed(new Events.RenewalFailed(backend, unknown, took)));
        }
    }

    /** @return whether the store said what became of the grant */
    private boolean replied(RenewalRequest request, int index, Moment now, StoreReply<List<Renewal>> reply) {
        Grant grant = request.grants().get(index);
        boolean uncertain = core.at(grant.resource(), false, slot -> {
            boolean onlyNow = request.replied(slot.engine, now, index, reply);
            if (onlyNow) {
                // While the slot is locked, so that no loss of the same hold is told before.
                tellUncertain(grant);
            }
            return onlyNow;
        });
        if (!request.isUnknown(index, reply)) {
            return true;
        }
        RuntimeException failure = request.failureFor(index, reply);
        if (uncertain) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Renewing {0} failed; its holder is uncertain until a renewal succeeds ({1})",
                    grant.resource(),
                    failure == null ? "no answer" : failure.getMessage());
        }
        if (failure != null) {
            core.calls().tellFailed(grant.resource(), failure);
        }
        return false;
    }

    private static void tellUncertain(Grant grant) {
        for (EngineHold holding : grant.holdings()) {
            HoldRecord record = HoldRecord.of(holding);
            AcquisitionReport report = record == null ? null : record.report();
            if (record != null && report != null) {
                report.uncertain(holding, record);
            }
        }
    }

    /**
     * Whether a grant is worth renewing. A fixed lease that was taken and dropped is not asked about, and an idle sticky grant
     * is left to end unless it is taken before. A thread that ended without unlocking will never unlock: its lock is left to
     * end with its lease. Where there is no lease, or others share the grant so that it goes on, the hold is ended here.
     */
    private boolean isWanted(Grant grant) {
        return core.at(grant.resource(), true, slot -> {
            if (!grant.renewed()) {
                return grant.holdings().stream().anyMatch(RenewalService::isMissed);
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
            boolean wanted = !abandoned && !grant.isIdle();
            if (!abandoned || !core.terms().leases()) {
                dead.forEach(holding -> slot.engine.lose(core.now(), holding, Loss.Reason.EXPIRED));
            }
            return wanted;
        });
    }

    private static boolean isMissed(EngineHold holding) {
        HoldRecord record = HoldRecord.of(holding);
        return record == null || record.isMissed();
    }
}
