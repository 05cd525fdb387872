package io.lockkeeper.benchmarks.peer;

import io.lockkeeper.Lockkeeper;
import java.time.Duration;

/** Lockkeeper's locks that stay with the process until another one asks. */
final class StickyPeer implements Peer {

    private static final Duration STICKY = Duration.ofSeconds(5);

    private final Lockkeeper keeper;

    StickyPeer(String url) {
        keeper = Lockkeeper.connect(url);
    }

    @Override
    public Mutex lock(String name) {
        return LockkeeperPeer.handle(keeper.lock(name).sticky(STICKY)::acquire);
    }

    @Override
    public void close() {
        keeper.close();
    }
}
