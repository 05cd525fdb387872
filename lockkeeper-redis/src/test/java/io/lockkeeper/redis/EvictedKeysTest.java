package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that evicts takes one key of a resource and leaves the others. Nothing is stuck then, and every loss is reported. */
class EvictedKeysTest {

    private final StoreScene scene = new StoreScene();
    private final Resource lock = StoreScene.lock();
    private final Resource semaphore = StoreScene.semaphore();
    private final Claim holder = claim(lock, "holder", Mode.EXCLUSIVE, Queueing.PLAIN);
    private final Claim waiter = claim(lock, "waiter", Mode.EXCLUSIVE, Queueing.PLAIN);
    private final Claim third = claim(lock, "third", Mode.EXCLUSIVE, Queueing.PLAIN);
    private final Claim all = claim(semaphore, "all", Mode.permits(3, 3), Queueing.PLAIN);
    private final Claim one = claim(semaphore, "one", Mode.permits(1, 3), Queueing.PLAIN);

    @AfterEach
    void end() {
        scene.close();
    }

    private void evict(Resource resource, String part) {
        assertThat(scene.server.command("DEL", scene.key(resource) + part)).isEqualTo(1L);
    }

    private Renewal renew(Claim claim) {
        return scene.store("a").renew(List.of(claim), StoreScene.TIMEOUT).get(0);
    }

    @Test
    void theHolderOfAnEvictedLockIsTold() {
        scene.granted("a", holder);
        evict(lock, "");

        assertThat(renew(holder)).isEqualTo(new Renewal.Gone(Loss.Reason.EXPIRED));
        assertThat(scene.release("a", holder)).isEqualTo(Release.Outcome.NOT_HELD);
        scene.granted("b", waiter);
    }

    @Test
    void aLockIsHeldAfterItsHashWasEvicted() {
        scene.granted("a", holder);
        evict(lock, ":s");

        scene.waits("b", waiter);
        assertThat(renew(holder)).isInstanceOf(Renewal.Kept.class);
        assertThat(scene.release("a", holder)).isEqualTo(Release.Outcome.RELEASED);
        scene.granted("b", waiter);
    }

    @Test
    void permitsOfEvictedGrantsAreFree() {
        scene.granted("a", all);
        evict(semaphore, ":g");

        assertThat(renew(all)).isInstanceOf(Renewal.Gone.class);
        scene.granted("b", one);
        scene.release("b", one);
        scene.granted("b", claim(semaphore, "again", Mode.permits(3, 3), Queueing.PLAIN));
    }

    @Test
    void permitsOfWhichNothingIsKnownAreNotHeldBesideOthers() {
        scene.granted("a", all);
        evict(semaphore, ":s");

        scene.granted("b", one);
        assertThat(renew(all)).isInstanceOf(Renewal.Gone.class);
        assertThat(renew(one)).isInstanceOf(Renewal.Kept.class);
    }

    @Test
    void aPlaceInAnEvictedQueueIsTakenAgain() {
        scene.granted("a", holder);
        scene.waits("b", waiter);
        evict(lock, ":q");

        scene.waits("b", waiter);
        scene.release("a", holder);
        Eventually.holds(() -> scene.keeper("b").signals.contains(lock));
        scene.granted("b", waiter);
    }

    @Test
    void aNewAttemptRestoresAnEvictedStamp() {
        scene.granted("a", holder);
        scene.waits("b", waiter);
        scene.waits("c", third);
        evict(lock, ":l");

        scene.waits("b", waiter);
        scene.release("a", holder);
        scene.waits("c", third);
        Eventually.holds(() -> scene.keeper("b").signals.contains(lock));
        scene.granted("b", waiter);
    }
}
