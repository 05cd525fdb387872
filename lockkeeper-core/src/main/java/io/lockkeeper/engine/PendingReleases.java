package io.lockkeeper.engine;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The releases of this resource that are still to be sent in the background, and how a claim is ended. */
final class PendingReleases {

    private final Resource resource;
    private final Terms terms;
    private int open;

    PendingReleases(Resource resource, Terms terms) {
        this.resource = resource;
        this.terms = terms;
    }

    boolean isDone() {
        return open == 0;
    }

    /** The end of a grant's claim. */
    Release end(Grant grant, boolean unanswered) {
        return end(grant.id(), grant.claim().lease(), unanswered);
    }

    private Release end(String id, Duration lease, boolean unanswered) {
        return new Release(resource, id, lease, unanswered, terms.timeoutFor(lease));
    }

    void endLater(Moment now, Grant grant, boolean unanswered, Effects effects) {
        add(new Chore.End(end(grant, unanswered), now), effects);
    }

    void endLater(Moment now, PendingClaim old, Effects effects) {
        add(new Chore.End(end(old.id(), old.request.lease(), old.unanswered()), now), effects);
    }

    void narrowLater(Moment now, Claim before, Mode to, Effects effects) {
        add(new Chore.Narrow(before, to, now), effects);
    }

    /**
     * Sends a grant back: from here on nobody can have it, and it is not renewed.
     *
     * @param along an attempt that goes along with the release
     */
    ReleaseStep.Send send(Grant grant, Step.@Nullable Attempt along, Effects effects) {
        grant.sendBack();
        effects.ended.add(grant);
        return new ReleaseStep.Send(grant, end(grant, grant.unanswered()), along);
    }

    private void add(Chore chore, Effects effects) {
        open++;
        effects.add(chore);
    }

    void settled() {
        open--;
    }

    /** Whether repeating a chore is pointless: what it would end has ended by itself. */
    boolean pointless(Moment now, Chore chore) {
        if (!terms.leases()) {
            return false;
        }
        Duration lease = chore instanceof Chore.End end
                ? end.release().lease()
                : ((Chore.Narrow) chore).held().lease();
        // Only the monotonic clock: that the wall clock was set forward ends nothing in the store.
        return now.mono() - chore.since().mono() > lease.plusMinutes(1).toNanos();
    }
}
