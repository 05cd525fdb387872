package io.lockkeeper.shell;

import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ReleaseStep;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Releases, extends and narrows holds, on the thread of the caller. The engine is told before the request is sent, so that the
 * holder has nothing any more by then, and after it, whatever came of it.
 */
final class ReleaseService {

    private final KeeperCore core;

    ReleaseService(KeeperCore core) {
        this.core = core;
    }

    /** Gives a hold back, on the caller's thread. */
    ReleaseOutcome release(EngineHold holding) {
        return finish(holding, takeBack(holding));
    }

    /** Takes a hold from its holder, which does not have it from here on; {@link #finish} does the rest. */
    ReleaseStep takeBack(EngineHold holding) {
        ResourceSlot slot = core.enter(holding.resource());
        try {
            return slot.engine.release(core.now(), holding, !core.isClosed());
        } finally {
            core.leave(slot, null);
        }
    }

    /** Sends the release to the store, if one is needed. */
    ReleaseOutcome finish(EngineHold holding, ReleaseStep giving) {
        ReleaseOutcome outcome = ReleaseOutcome.NOT_HELD;
        if (giving instanceof ReleaseStep.Stays) {
            outcome = ReleaseOutcome.RELEASED;
        } else if (giving instanceof ReleaseStep.Send send) {
            outcome = send(send);
        }
        HoldRecord record = HoldRecord.of(holding);
        if (record != null) {
            record.released();
        }
        return outcome;
    }

    ReleaseOutcome send(ReleaseStep.Send send) {
        Step.Attempt along = send.next();
        return along == null ? sendAlone(send) : sendWith(along, send);
    }

    /** Returns a grant and sends the claim of the waiters here, in one request. */
    private ReleaseOutcome sendWith(Step.Attempt along, ReleaseStep.Send send) {
        Grant grant = send.grant();
        StoreReply<Exchanged> reply = core.calls()
                .call(
                        grant.resource(),
                        () -> core.store().exchange(send.release(), along.claim()),
                        answer -> answer.releaseFailure() == null ? answer.attemptFailure() : answer.releaseFailure());
        Exchanged got = reply.answer();
        if (got == null) {
            got = new Exchanged(null, reply.failure(), null, reply.failure());
        }
        Moment now = core.now();
        ResourceSlot slot = core.enter(grant.resource());
        try {
            slot.engine.exchanged(now, grant, along, reply.sentAt(), got);
        } finally {
            core.leave(slot, null);
        }
        return outcome(got.outcome());
    }

    private static ReleaseOutcome outcome(Release.@Nullable Outcome answer) {
        if (answer == null) {
            return ReleaseOutcome.UNKNOWN;
        }
        return answer == Release.Outcome.RELEASED ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }

    private ReleaseOutcome sendAlone(ReleaseStep.Send send) {
        Grant grant = send.grant();
        StoreReply<Release.Outcome> reply =
                core.calls().call(grant.resource(), () -> core.store().release(send.release()));
        RuntimeException failure = reply.failure();
        ResourceSlot slot = core.enter(grant.resource());
        try {
            if (failure == null) {
                slot.engine.released(grant);
            } else {
                slot.engine.releaseFailed(core.now(), grant, failure);
            }
        } finally {
            core.leave(slot, null);
        }
        return outcome(reply.answer());
    }

    private @Nullable Claim extending(EngineHold holding, Duration lease) {
        ResourceSlot slot = core.enter(holding.resource());
        try {
            return slot.engine.extending(core.now(), holding, lease);
        } finally {
            core.leave(slot, null);
        }
    }

    /** Makes a hold of a fixed lease last longer, if the store says so. */
    ExtendOutcome extend(EngineHold holding, Duration lease) {
        Claim claim = extending(holding, lease);
        if (claim == null) {
            return ExtendOutcome.NOT_HELD;
        }
        StoreReply<Renewal> reply = core.calls()
                .call(
                        holding.resource(),
                        () -> core.store().extend(claim, claim.timeout()),
                        answer -> answer instanceof Renewal.Unknown unknown ? unknown.failure() : null);
        Renewal answer = reply.answer();
        if (answer == null || reply.failed()) {
            return ExtendOutcome.UNKNOWN;
        }
        ResourceSlot slot = core.enter(holding.resource());
        try {
            boolean held = slot.engine.extended(core.now(), holding, reply.sentAt(), answer);
            return held ? ExtendOutcome.EXTENDED : ExtendOutcome.NOT_HELD;
        } finally {
            core.leave(slot, null);
        }
    }

    /** Tells the store that a part of a grant is given up, in the background if it does not answer. */
    ReleaseOutcome narrow(Claim before, Grant grant, Mode to) {
        StoreReply<Boolean> reply =
                core.calls().call(before.resource(), () -> core.store().narrow(before, to));
        boolean held = Boolean.TRUE.equals(reply.answer());
        ResourceSlot slot = core.enter(before.resource());
        try {
            if (reply.failed()) {
                slot.engine.narrowFailed(core.now(), before, to);
            } else if (!held) {
                slot.engine.lose(core.now(), grant, Loss.Reason.TAKEN);
            }
        } finally {
            core.leave(slot, null);
        }
        if (reply.failed()) {
            return ReleaseOutcome.UNKNOWN;
        }
        return held ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }
}
