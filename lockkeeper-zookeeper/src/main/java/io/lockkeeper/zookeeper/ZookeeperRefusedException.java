package io.lockkeeper.zookeeper;

import io.lockkeeper.LockkeeperException;
import org.jspecify.annotations.Nullable;

/** Thrown when ZooKeeper does not allow what was asked, and asking again is useless. */
final class ZookeeperRefusedException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    ZookeeperRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
