package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Terms;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.concurrent.locks.ReentrantLock;

/** One resource in a keeper: its engine, and the lock that serialises calls to it, which is never held during I/O. */
final class ResourceSlot {

    final Resource resource;
    final ReentrantLock lock = new ReentrantLock();
    final ResourceEngine engine;
    final Owners owners;
    /** Removed because it was idle; a thread that still finds it looks up the next one. */
    boolean removed;

    ResourceSlot(Resource resource, Terms terms, Owners.Arrears arrears) {
        this.resource = resource;
        this.engine = new ResourceEngine(resource, terms);
        this.owners = new Owners(resource, arrears);
    }

    /**
     * Removes what an owner has lost, here and in the engine, which may not have checked the time since. Otherwise an owner
     * that locks again at once would be told that its own keeper still holds it.
     */
    void settle(Moment now, Object owner) {
        EngineHold lost = owners.isEmpty() ? null : owners.settle(now, owner);
        if (lost != null) {
            engine.expire(now, lost.grant());
        }
    }

    /** Whether the thread has it by lock(): an acquisition by handle never nests, and would wait for its own thread forever. */
    boolean waitsForItself(Moment now, Mode wanted) {
        Thread me = Thread.currentThread();
        settle(now, me);
        return !owners.isEmpty() && owners.stands(now, me, wanted);
    }

    IllegalStateException waitsForItself() {
        return new IllegalStateException("Thread '" + Thread.currentThread().getName() + "' has " + resource
                + " by lock(), so acquiring it by handle could never end; use lock() again, or unlock first");
    }

    boolean isIdle() {
        return engine.isIdle() && owners.isEmpty();
    }
}
