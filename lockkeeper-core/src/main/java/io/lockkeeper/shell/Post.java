package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Terms;
import io.lockkeeper.spi.Mode;
import java.util.concurrent.locks.ReentrantLock;

/** The place of one resource in a keeper: its engine, and the lock that keeps calls to it apart. Never held during I/O. */
final class Post {

    final Resource resource;
    final ReentrantLock lock = new ReentrantLock();
    final ResourceEngine engine;
    final Owners owners;
    /** Taken down because nothing was left to know; whoever still finds it looks for the next one. */
    boolean removed;

    Post(Resource resource, Terms terms) {
        this.resource = resource;
        this.engine = new ResourceEngine(resource, terms);
        this.owners = new Owners(resource);
    }

    /** By handle nobody nests: a thread that has it by lock() would wait for itself for ever. */
    void refuseToWaitForOneself(Mode wanted) {
        Thread me = Thread.currentThread();
        if (!owners.isEmpty() && owners.stands(me, wanted)) {
            throw new IllegalStateException("Thread '" + me.getName() + "' has " + resource
                    + " by lock(), so acquiring it by handle could never end; use lock() again, or unlock first");
        }
    }

    boolean isIdle() {
        return engine.isIdle() && owners.isEmpty();
    }
}
