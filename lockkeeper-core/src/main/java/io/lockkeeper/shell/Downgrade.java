package io.lockkeeper.shell;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;

/**
 * Turns a write hold into a read hold. The writer counts as a reader from the moment it calls this: an exclusive grant
 * allows all that a shared one does, so it may go on reading before the store has heard of it.
 */
final class Downgrade {

    private Downgrade() {}

    static SingleHold byHandle(KeeperCore core, ExclusiveHold writeHold, AcquireOptions order) {
        if (!(writeHold instanceof LiveHold live)
                || live.core != core
                || !live.holding().resource().equals(order.resource())
                || live.holding().owner() != null) {
            throw new IllegalArgumentException(
                    writeHold + " is not a hold of " + order.resource() + " acquired by handle from this keeper");
        }
        writeHold.ensureHeld();
        EngineHold reading = narrow(core, live.holding());
        live.handedOver();
        return LiveHold.admit(successor(core, live.holding(), reading), order, new AcquisitionSite());
    }

    /** The read hold, reported as the same acquisition as the write hold. */
    private static LiveHold successor(KeeperCore core, EngineHold writing, EngineHold reading) {
        HoldRecord record = HoldRecord.of(writing);
        AcquisitionReport report = record == null ? null : record.report();
        if (report != null) {
            report.narrowed().served(reading);
        }
        return new LiveHold(core, reading);
    }

    /** What an owner's downgrade still has to do, once its slot is left. */
    interface Rest {
        /** @throws io.lockkeeper.LockLostException if the store says that it was lost */
        void run();
    }

    /**
     * For an owner by {@code lock()}, in one step with counting the owner's unlock: another thread of the same owner may lock
     * or unlock the read lock before the store has heard of it, and must find a hold of that owner.
     */
    static Rest byOwner(KeeperCore core, ResourceSlot slot, EngineHold writing, Object owner, AcquireOptions order) {
        Grant grant = writing.grant();
        Claim before = slot.engine.narrow(grant, Mode.SHARED);
        EngineHold reading = slot.engine.succeed(core.now(), writing);
        LiveHold.admit(successor(core, writing, reading), order, new AcquisitionSite());
        slot.owners.replace(owner, reading);
        return () -> {
            core.returns().narrow(before, grant, Mode.SHARED);
            if (reading.lostBecause() != null) {
                throw Owners.lost(reading, "it could not be turned into a read hold; unlock that");
            }
        };
    }

    /** The write hold stays what it is until the store has answered, so that a loss found here is its loss. */
    private static EngineHold narrow(KeeperCore core, EngineHold writing) {
        Grant grant = writing.grant();
        Claim before;
        ResourceSlot slot = core.enter(writing.resource());
        try {
            // Released meanwhile, the grant may be somebody else's already.
            if (writing.isReleased()) {
                throw new IllegalStateException("The hold of " + writing.resource() + " with token " + writing.token()
                        + " was released, so it cannot be turned into a read hold; acquire the read lock");
            }
            if (writing.remaining(core.now()) <= 0) {
                throw Owners.lost(writing, "it cannot be turned into a read hold");
            }
            before = slot.engine.narrow(grant, Mode.SHARED);
        } finally {
            core.leave(slot, null);
        }
        ReleaseOutcome outcome = core.returns().narrow(before, grant, Mode.SHARED);
        slot = core.enter(writing.resource());
        try {
            if (outcome == ReleaseOutcome.NOT_HELD || writing.remaining(core.now()) <= 0) {
                throw Owners.lost(writing, "it cannot be turned into a read hold");
            }
            return slot.engine.succeed(core.now(), writing);
        } finally {
            core.leave(slot, null);
        }
    }
}
