package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;

/** Turns what is heard on a keeper's channel into signals: a message is the key of the resource that changed. */
final class Signals implements Redis.Listener {

    private final Keys keys;
    private final Keeper keeper;

    Signals(Keys keys, Keeper keeper) {
        this.keys = keys;
        this.keeper = keeper;
    }

    @Override
    public void message(byte[] payload) {
        Resource resource = keys.resource(payload);
        if (resource != null) {
            keeper.signal(resource);
        }
    }

    /** Whatever was published before is lost, and claims that could not queue can do so now. */
    @Override
    public void subscribed() {
        keeper.signalAll();
    }
}
