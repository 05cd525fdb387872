package io.lockkeeper.shell;

import io.lockkeeper.Permit;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;

/** Permits of a semaphore. */
final class LivePermit extends LiveHold implements Permit {

    LivePermit(KeeperCore core, EngineHold holding) {
        super(core, holding);
    }

    /** Of a hold that ended nothing is left, though its grant may serve somebody else by now. */
    @Override
    public int permits() {
        Mode mode = holding().grant().claim().mode();
        boolean over = holding().isReleased() || holding().remaining(core.now()) <= 0;
        return !over && mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    @Override
    public ReleaseOutcome release(int count) {
        Grant grant = holding().grant();
        Claim before;
        Mode.Permits less;
        ResourceSlot slot = core.enter(holding().resource());
        try {
            if (!holding().isReleased() && holding().remaining(core.now()) <= 0) {
                throw Owners.lost(holding(), "its permits came back by themselves");
            }
            int left = permits();
            if (count < 1 || count > left) {
                throw new IllegalArgumentException("Cannot release " + count + " of " + left + " permits of "
                        + holding().resource()
                        + (left == 0 ? "; all were released before" : "; release from 1 to " + left));
            }
            Mode.Permits now = (Mode.Permits) grant.claim().mode();
            if (count == now.count()) {
                before = null;
                less = now;
            } else {
                less = new Mode.Permits(now.count() - count, now.of());
                before = slot.engine.narrow(grant, less);
            }
        } finally {
            core.leave(slot, null);
        }
        return before == null ? release() : core.returns().narrow(before, grant, less);
    }
}
