package io.lockkeeper.shell;

import io.lockkeeper.Family;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The mark by which a candidate is seen while it stands or leads: a shared hold of the resource that belongs to the election.
 *
 * <p>It decides nothing. A mark that is lost is set again; one that could not be set is missing from the list and does no harm.
 */
final class CandidateMark {

    private final KeeperCore core;
    private final Resource resource;
    private final ReadLock lock;
    private final ReentrantLock guard = new ReentrantLock();
    /** The mark, or the wait for it; null while the candidate neither stands nor leads. */
    private @Nullable CompletableFuture<SingleHold> set;

    /** @param election what the candidate asks for when it stands */
    CandidateMark(KeeperCore core, AcquireOptions election) {
        this.core = core;
        this.resource = new Resource(Family.CANDIDATE, election.resource().name());
        this.lock = new ReadLock(
                core,
                AcquireOptions.of(resource, Mode.SHARED, election.request().lease(), false)
                        .portable()
                        .withShownAs(election.request().shownAs()),
                null);
    }

    void set() {
        if (!core.backend().capabilities().contains(Capability.SHARED)) {
            return;
        }
        CompletableFuture<SingleHold> mark;
        guard.lock();
        try {
            if (set != null || core.refusesNew()) {
                return;
            }
            mark = lock.acquireAsync();
            set = mark;
        } finally {
            guard.unlock();
        }
        mark.whenComplete((hold, failure) -> {
            if (hold == null) {
                forget(mark);
            } else if (isSet(mark)) {
                hold.onLost(loss -> {
                    if (forget(mark)) {
                        set();
                    }
                });
            } else {
                hold.releaseAsync();
            }
        });
    }

    private boolean isSet(CompletableFuture<SingleHold> mark) {
        guard.lock();
        try {
            return set == mark;
        } finally {
            guard.unlock();
        }
    }

    private boolean forget(CompletableFuture<SingleHold> mark) {
        guard.lock();
        try {
            boolean was = set == mark;
            set = was ? null : set;
            return was;
        } finally {
            guard.unlock();
        }
    }

    void clear() {
        CompletableFuture<SingleHold> mark;
        guard.lock();
        try {
            mark = set;
            set = null;
        } finally {
            guard.unlock();
        }
        if (mark != null && !mark.cancel(false)) {
            mark.thenAccept(SingleHold::releaseAsync);
        }
    }

    /** All candidates of the election that can be seen. */
    List<LeaderElection.Candidate> all() {
        FeatureCheck.require(core.backend(), Capability.SHARED);
        FeatureCheck.require(core.backend(), Capability.HOLDERS);
        ResourceState state = core.ask(() -> core.store().inspect(resource)).orElse(null);
        List<ResourceState.Grant> marks = new ArrayList<>(state == null ? List.of() : state.grants());
        marks.sort(Comparator.comparingLong(ResourceState.Grant::token));
        return marks.stream()
                .map(mark -> new LeaderElection.Candidate(mark.holder().thread(), mark.holder()))
                .toList();
    }
}
