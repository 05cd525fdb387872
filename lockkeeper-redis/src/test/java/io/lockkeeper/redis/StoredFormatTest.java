package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a newer version stored is neither misread nor overwritten. */
class StoredFormatTest {

    private final StoreScene scene = new StoreScene();
    private final Resource lock = StoreScene.lock();
    private final Claim holder = claim(lock, "holder", Mode.EXCLUSIVE, Queueing.PLAIN);
    private final Claim reader = claim(lock, "reader", Mode.SHARED, Queueing.PLAIN);

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void aNewerFormatIsRefusedWithASentence() {
        scene.server.command("HSET", scene.key(lock) + ":s", "format", "2");

        try (Lockkeeper keeper = PatientKeepers.keeper().connect(scene.server.url())) {
            assertThatThrownBy(() -> keeper.lock(lock.name()).tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("format 2")
                    .hasMessageContaining("use the newer version of lockkeeper-redis");
            assertThatThrownBy(() -> keeper.inspect(lock.name()))
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("format 2");
        }
        assertThat(scene.answer("KEYS", "*" + lock.name() + "*")).isEqualTo(List.of(scene.key(lock) + ":s"));
    }

    @Test
    void aStoreOfANewerFormatIsRefusedAtConnect() {
        scene.store("a");
        scene.server.command("HSET", "lockkeeper:{store}", "format", "7");

        assertThatThrownBy(() -> Lockkeeper.connect(scene.server.url()))
                .isInstanceOf(ClaimRefusedException.class)
                .hasMessageContaining("format 7")
                .hasMessageContaining("use the newer version");
    }

    @Test
    void nothingOfANewerFormatIsWrittenOver() {
        Store store = scene.store("a");
        scene.granted("a", reader);
        scene.waits("b", holder);
        scene.server.command("HSET", scene.key(lock) + ":s", "format", "2");
        List<String> before = KeySnapshot.of(scene.server);

        refused(() -> scene.release("a", reader));
        refused(() -> scene.release("b", holder, true));
        refused(() -> StoreAbility.of(store, NarrowingStore.class).narrow(reader, Mode.SHARED));
        refused(() -> StoreAbility.of(store, MemberStore.class).raise(reader, 1L << 52, StoreScene.TIMEOUT));
        refused(() -> StoreAbility.of(store, ForceReleaseStore.class).forceRelease(lock));
        refused(() -> StoreAbility.of(store, SemaphoreStore.class).resize(lock, 3));
        assertThat(store.renew(List.of(reader), StoreScene.TIMEOUT)).hasOnlyElementsOfType(Renewal.Unknown.class);
        assertThat(KeySnapshot.of(scene.server)).isEqualTo(before);
    }

    private static void refused(ThrowingCallable request) {
        assertThatThrownBy(request).isInstanceOf(LockkeeperException.class).hasMessageContaining("newer format");
    }

    @Test
    void aLatchOfANewerFormatIsLeftAlone() {
        Resource latch = new Resource(Family.LATCH, "latch");
        LatchStore latches = StoreAbility.of(scene.store("a"), LatchStore.class);
        latches.set(latch, "op", 3);
        long generation = latches.state(latch, false).generation();
        scene.server.command("HSET", scene.key(latch), "format", "2");
        List<String> before = KeySnapshot.of(scene.server);

        for (ThrowingCallable request : List.<ThrowingCallable>of(
                () -> latches.state(latch, true),
                () -> latches.set(latch, "op2", 3),
                () -> latches.countDown(latch, generation, "op3"),
                () -> latches.delete(latch, generation))) {
            assertThatThrownBy(request)
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("format 2");
        }
        assertThat(KeySnapshot.of(scene.server)).isEqualTo(before);
    }
}
