package io.lockkeeper.spring.boot;

import io.lockkeeper.RequestLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Request locks whose keys begin with a prefix. */
final class PrefixedRequests implements RequestLocks {

    private final RequestLocks requests;
    private final String prefix;

    PrefixedRequests(RequestLocks requests, String prefix) {
        this.requests = requests;
        this.prefix = prefix;
    }

    @Override
    public boolean tryLock(String key, String requestId, Duration lease) {
        return requests.tryLock(prefix + key, requestId, lease);
    }

    @Override
    public boolean lock(String key, String requestId, Duration lease, Duration wait) throws InterruptedException {
        return requests.lock(prefix + key, requestId, lease, wait);
    }

    @Override
    public boolean unlock(String key, String requestId) {
        return requests.unlock(prefix + key, requestId);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(String key, String requestId, Duration lease) {
        return requests.tryLockAsync(prefix + key, requestId, lease);
    }

    @Override
    public CompletableFuture<Boolean> lockAsync(String key, String requestId, Duration lease, Duration wait) {
        return requests.lockAsync(prefix + key, requestId, lease, wait);
    }

    @Override
    public CompletableFuture<Boolean> unlockAsync(String key, String requestId) {
        return requests.unlockAsync(prefix + key, requestId);
    }
}
