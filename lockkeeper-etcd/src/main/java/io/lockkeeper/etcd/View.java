package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What one request found of a claim and its queue, all at one revision.
 *
 * @param own the claim's key; null if it is not there
 * @param dead whether there is a tombstone of the claim
 * @param queue the claims: all of them if {@code whole}, else at most the first one
 * @param size of the semaphore; null unless permits are claimed
 * @param revision at which all this was so
 * @param sentAt just before the request was sent
 */
record View(
        @Nullable KeyValue own,
        boolean dead,
        Queue queue,
        boolean whole,
        @Nullable StoredSize size,
        long revision,
        Moment sentAt) {

    int permits() {
        return size == null ? 0 : size.size().permits();
    }
}
