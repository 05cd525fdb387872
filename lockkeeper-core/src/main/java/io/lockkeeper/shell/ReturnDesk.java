package io.lockkeeper.shell;

import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.engine.Giving;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.engine.Step;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Gives back to the store what holders give up, on the thread of whoever does. The engine is told before, so that the
 * holder has nothing any more when the request is sent, and after, whatever became of it.
 */
final class ReturnDesk {

    private final Station station;

    ReturnDesk(Station station) {
        this.station = station;
    }

    /** Gives a hold back, on the caller's thread. */
    ReleaseOutcome release(Holding holding) {
        return finish(holding, takeBack(holding));
    }

    /** Takes a hold back from its holder, who does not have it from here on. What is left to do is {@link #finish}ed. */
    Giving takeBack(Holding holding) {
        Post post = station.enter(holding.resource());
        try {
            return post.engine.release(station.now(), holding, !station.isClosed());
        } finally {
            station.leave(post, null);
        }
    }

    /** Tells the store what has to be told. */
    ReleaseOutcome finish(Holding holding, Giving giving) {
        ReleaseOutcome outcome = ReleaseOutcome.NOT_HELD;
        if (giving instanceof Giving.Kept) {
            outcome = ReleaseOutcome.RELEASED;
        } else if (giving instanceof Giving.Send send) {
            outcome = send(send);
        }
        HoldRecord record = HoldRecord.of(holding);
        if (record != null) {
            record.released();
        }
        return outcome;
    }

    ReleaseOutcome send(Giving.Send send) {
        Step.Attempt along = send.next();
        return along == null ? sendAlone(send) : sendWith(along, send);
    }

    /** Gives a grant back and asks for those who wait here, in one request. */
    private ReleaseOutcome sendWith(Step.Attempt along, Giving.Send send) {
        Grant grant = send.grant();
        Reply<Exchanged> reply = station.call(
                grant.resource(),
                () -> station.store().exchange(send.release(), along.claim()),
                answer -> answer.releaseFailure() == null ? answer.attemptFailure() : answer.releaseFailure());
        Exchanged got = reply.answer();
        if (got == null) {
            got = new Exchanged(null, reply.failure(), null, reply.failure());
        }
        Moment now = station.now();
        Post post = station.enter(grant.resource());
        try {
            post.engine.exchanged(now, grant, along, reply.sentAt(), got);
        } finally {
            station.leave(post, null);
        }
        return outcome(got.outcome());
    }

    private static ReleaseOutcome outcome(Release.@Nullable Outcome answer) {
        if (answer == null) {
            return ReleaseOutcome.UNKNOWN;
        }
        return answer == Release.Outcome.RELEASED ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }

    private ReleaseOutcome sendAlone(Giving.Send send) {
        Grant grant = send.grant();
        Reply<Release.Outcome> reply =
                station.call(grant.resource(), () -> station.store().release(send.release()));
        RuntimeException failure = reply.failure();
        Post post = station.enter(grant.resource());
        try {
            if (failure == null) {
                post.engine.released(station.now(), grant);
            } else {
                post.engine.releaseFailed(station.now(), grant, failure);
            }
        } finally {
            station.leave(post, null);
        }
        return outcome(reply.answer());
    }

    private @Nullable Claim extending(Holding holding, Duration lease) {
        Post post = station.enter(holding.resource());
        try {
            return post.engine.extending(station.now(), holding, lease);
        } finally {
            station.leave(post, null);
        }
    }

    /** Makes a hold of a fixed lease last longer, if the store says so. */
    ExtendOutcome extend(Holding holding, Duration lease) {
        Claim claim = extending(holding, lease);
        if (claim == null) {
            return ExtendOutcome.NOT_HELD;
        }
        Reply<Renewal> reply = station.call(
                holding.resource(),
                () -> station.store().extend(claim, claim.limit()),
                answer -> answer instanceof Renewal.Unknown unknown ? unknown.failure() : null);
        Renewal answer = reply.answer();
        if (answer == null || reply.failed()) {
            return ExtendOutcome.UNKNOWN;
        }
        Post post = station.enter(holding.resource());
        try {
            boolean held = post.engine.extended(station.now(), holding, reply.sentAt(), answer);
            return held ? ExtendOutcome.EXTENDED : ExtendOutcome.NOT_HELD;
        } finally {
            station.leave(post, null);
        }
    }

    /** Tells the store that a part of a grant is given up; until it has heard, it is told in the background. */
    ReleaseOutcome narrow(Claim before, Grant grant, Mode to) {
        Reply<Boolean> reply =
                station.call(before.resource(), () -> station.store().narrow(before, to));
        boolean held = Boolean.TRUE.equals(reply.answer());
        Post post = station.enter(before.resource());
        try {
            if (reply.failed()) {
                post.engine.narrowFailed(station.now(), before, to);
            } else if (!held) {
                post.engine.lose(station.now(), grant, Loss.Reason.TAKEN);
            }
        } finally {
            station.leave(post, null);
        }
        if (reply.failed()) {
            return ReleaseOutcome.UNKNOWN;
        }
        return held ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
    }
}
