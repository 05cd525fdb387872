package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/** The node of a claim of this keeper, made in the session that it belongs to. */
final class OwnNode {

    final Resource resource;
    final String folder;
    /** The first token. */
    final long token;
    /** When its creation had been answered: each later look at the session finds it. */
    final Moment createdAt;

    volatile NodeName name;
    /** When a look at the session was sent that found it. */
    volatile Moment seenAt;
    /** When the request was sent that was granted last; null while it waits. */
    volatile @Nullable Moment grantedAt;
    /** How many tokens it was granted. */
    volatile int tokens;
    /** The end of a fixed lease by the monotonic clock; {@link Long#MAX_VALUE} if it has none. */
    volatile long fixedUntil = Long.MAX_VALUE;
    /** The node that it waits for and has a watch on; null if the folder has to be read. */
    volatile @Nullable NodeName behind;

    /**
     * Notifies the keeper. The same object for each watch of this claim, so that the client has one and not many. Once the node that the
     * claim waits for is gone, to read it again would be a round trip for nothing before the folder is read.
     */
    final Watcher watcher;

    OwnNode(
            Resource resource,
            String folder,
            NodeName name,
            long token,
            Moment sentAt,
            Moment createdAt,
            Runnable signal) {
        this.resource = resource;
        this.folder = folder;
        this.name = name;
        this.token = token;
        this.seenAt = sentAt;
        this.createdAt = createdAt;
        this.watcher = event -> {
            if (event.getType() == Watcher.Event.EventType.NodeDeleted && isBehind(event.getPath())) {
                behind = null;
            }
            if (event.getType() != Watcher.Event.EventType.None) {
                signal.run();
            }
        };
    }

    private boolean isBehind(String path) {
        NodeName before = behind;
        return before != null && path.equals(folder + "/" + before);
    }

    String path() {
        return folder + "/" + name;
    }

    /** A fixed lease lasts until then, or for longer if it did already. */
    synchronized void extendTo(long end) {
        fixedUntil = fixedUntil == Long.MAX_VALUE || end - fixedUntil > 0 ? end : fixedUntil;
    }

    boolean isGranted() {
        return grantedAt != null;
    }
}
