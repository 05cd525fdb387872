package io.lockkeeper.etcd;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;

/** Whether a store answers again after a fault. */
final class Answers {

    private Answers() {}

    /** Whether the keeper is told now that somebody has the lock. */
    static boolean shows(Lockkeeper keeper, String name) {
        try {
            return keeper.inspect(name).isPresent();
        } catch (StoreUnavailableException notYet) {
            return false;
        }
    }
}
