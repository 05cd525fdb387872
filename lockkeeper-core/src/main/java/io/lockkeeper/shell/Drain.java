package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The last work of a keeper before it is closed: nothing new is acquired, leaders hand on, holders finish.
 *
 * <p><b>Invariant.</b> No waiter is left waiting once the waiters were failed. An acquisition that begins enters its slot first and
 * then reads whether the keeper refuses; were it to read before it enters, it could queue after the slots were gone through, and
 * wait until the keeper is closed. So either it sees the refusal, or its slot is among those that are gone through here.
 */
final class Drain {

    private final KeeperCore core;

    Drain(KeeperCore core) {
        this.core = core;
    }

    /**
     * Drains the keeper.
     *
     * @param deadline on the monotonic clock
     * @return whether nothing is held any more
     */
    boolean run(long deadline) throws InterruptedException {
        core.beginDraining();
        List<CompletableFuture<?>> leaving = new ArrayList<>();
        for (LiveElection candidate : List.copyOf(core.candidates())) {
            leaving.add(candidate.leaveAsync());
        }
        for (ResourceSlot slot : core.slots()) {
            core.at(slot.resource, each -> each.engine.failAll(core.now(), core.refusal()));
        }
        while (!leaving.stream().allMatch(CompletableFuture::isDone) || isAnythingHeld()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Moment now = core.now();
            if (now.mono() >= deadline) {
                return false;
            }
            core.clocks().park(this, Math.min(deadline, now.mono() + KeeperPolicy.DRAIN_CHECK.toNanos()));
        }
        return true;
    }

    private boolean isAnythingHeld() {
        return core.slots().stream().map(slot -> slot.resource).anyMatch(this::isHeld);
    }

    /** A grant that the keeper kept for later, and that nobody uses, does not count. */
    private boolean isHeld(Resource resource) {
        return core.at(resource, false, slot -> slot.engine.grants().stream().anyMatch(Drain::isUsed));
    }

    private static boolean isUsed(Grant grant) {
        return !grant.holdings().isEmpty();
    }
}
