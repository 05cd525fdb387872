package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The locks of a registry, as code of Spring Integration uses them. */
class RegistryLockTest {

    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(store);
    private final Lockkeeper other = Lockkeeper.of(store);
    private final RegistryLocks registry = new RegistryLocks(keeper, "registry/");

    @AfterEach
    void close() {
        keeper.close();
        other.close();
        store.close();
    }

    private RegistryLock lock(Object key) {
        return new RegistryLock(registry, key);
    }

    private boolean isFree(Object key) throws Exception {
        Lock theirs = new RegistryLock(new RegistryLocks(other, "registry/"), key);
        return CompletableFuture.supplyAsync(() -> {
                    boolean got = theirs.tryLock();
                    if (got) {
                        theirs.unlock();
                    }
                    return got;
                })
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void excludesOthersAndNests() throws Exception {
        lock("a").lock();
        assertThat(lock("a").tryLock()).isTrue();
        assertThat(lock("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock("a").lockInterruptibly();
        for (int level = 0; level < 4; level++) {
            assertThat(isFree("a")).isFalse();
            lock("a").unlock();
        }
        assertThat(isFree("a")).isTrue();
        assertThatThrownBy(() -> lock("a").unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void namesAreMadeOfTheRegionAndTheKey() {
        lock(42).lock();
        assertThat(keeper.inspect("registry/42")).isPresent();
        lock(42).unlock();
        UUID id = UUID.randomUUID();
        assertThat(lock(id)).asString().contains(id.toString());
        assertThatThrownBy(() -> lock(List.of("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("List");
    }

    @Test
    void tryLockSaysOnceThatTheLockWasLostAndThenAcquiresItAnew() throws Exception {
        lock("a").lock();
        lose("a");
        assertThat(lock("a").tryLock()).isFalse();
        assertThat(isFree("a")).isTrue();
        assertThat(lock("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(isFree("a")).isFalse();
        lock("a").unlock();
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void lockAndUnlockThrowWhenTheLockWasLost() throws Exception {
        lock("a").lock();
        lose("a");
        assertThatThrownBy(() -> lock("a").lock()).isInstanceOf(LockLostException.class);
        lock("a").lock();
        lose("a");
        assertThatThrownBy(() -> lock("a").unlock()).isInstanceOf(LockLostException.class);
        lock("a").lock();
        lock("a").unlock();
    }

    private void lose(String key) throws Exception {
        var lost = keeper.lock("registry/" + key).currentHold().lost();
        assertThat(other.forceRelease("registry/" + key)).isTrue();
        lost.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aTimeToLiveEndsByItselfUnlessItIsRenewed() throws Exception {
        lock("a").lock(Duration.ofMinutes(1));
        registry.renew("a", Duration.ofMinutes(2));
        assertThat(keeper.lock("registry/a").currentHold().remaining()).isGreaterThan(Duration.ofSeconds(90));
        lock("a").unlock();
        assertThat(lock("a").tryLock(Duration.ZERO, Duration.ofMillis(100))).isTrue();
        keeper.lock("registry/a").currentHold().lost().get(30, TimeUnit.SECONDS);
        assertThat(isFree("a")).isTrue();
        assertThatThrownBy(() -> registry.renew("a", Duration.ofSeconds(1))).isInstanceOf(LockLostException.class);
    }

    @Test
    void onlyWhatTheThreadHasCanBeRenewed() {
        assertThatThrownBy(() -> registry.renew("a", null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("registry/a");
        lock("a").lock();
        registry.renew("a", null);
        assertThatThrownBy(() -> CompletableFuture.runAsync(() -> registry.renew("a", null))
                        .join())
                .hasCauseInstanceOf(IllegalStateException.class);
        lock("a").unlock();
    }

    @Test
    void whatEndedThreadsLostIsForgotten() throws Exception {
        Thread thread = new Thread(() -> lock("a").lock());
        thread.start();
        thread.join();
        registry.expireUnusedOlderThan(0);
        assertThat(registry.isEmpty()).isTrue();
    }
}
