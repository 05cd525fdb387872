package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A key of another type under a name of this store. Redis rolls nothing back, so a script checks all types before it writes. */
class WrongTypesTest {

    private static final List<String> PARTS = List.of("", ":s", ":g", ":q", ":l");

    private final StoreScene scene = new StoreScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void scriptsWriteNothingWhenAKeyHasAnotherType() {
        for (String part : PARTS) {
            for (String type : List.of("string", "list", "set", "hash", "zset")) {
                writesNothing(part, type, true);
                writesNothing(part, type, false);
            }
        }
    }

    private void writesNothing(String part, String type, boolean queue) {
        Resource lock = StoreScene.lock();
        Claim reader = claim(lock, "reader", Mode.SHARED, Queueing.PLAIN);
        Claim other = claim(lock, "other", Mode.SHARED, Queueing.PLAIN);
        Claim writer = claim(lock, "writer", Mode.EXCLUSIVE, Queueing.PLAIN);
        scene.granted("a", reader);
        scene.granted("a", other);
        if (queue) {
            scene.waits("b", writer);
        }
        if (!spoil(scene.key(lock) + part, type)) {
            return;
        }
        List<String> before = KeySnapshot.of(scene.server);
        requests(lock, reader, other, writer).forEach((what, request) -> {
            String where = what + " with a " + type + " at k" + part + (queue ? ", with a queue" : "");
            failed(where, request);
            assertThat(KeySnapshot.of(scene.server)).as(where).isEqualTo(before);
        });
        scene.server.command("FLUSHALL");
    }

    /** One of each kind. */
    private Map<String, Supplier<Object>> requests(Resource lock, Claim reader, Claim other, Claim writer) {
        Store store = scene.store("a");
        Claim next = claim(lock, "next", Mode.EXCLUSIVE, Queueing.FAIR);
        Claim hasty = claim(lock, "hasty", Mode.EXCLUSIVE, Queueing.NEVER);
        Map<String, Supplier<Object>> requests = new LinkedHashMap<>();
        requests.put("attempt", () -> store.attempt(next));
        requests.put("attempt again", () -> store.attempt(writer));
        requests.put("attempt of the holder", () -> store.attempt(reader));
        requests.put("attempt without a place", () -> store.attempt(hasty));
        requests.put("release", () -> scene.release("a", other));
        requests.put("release of a waiting claim", () -> scene.release("b", writer, true));
        requests.put("renew", () -> store.renew(List.of(reader), StoreScene.TIMEOUT));
        requests.put(
                "raise", () -> StoreAbility.of(store, MemberStore.class).raise(reader, 1L << 52, StoreScene.TIMEOUT));
        requests.put(
                "narrow", () -> StoreAbility.of(store, NarrowingStore.class).narrow(reader, Mode.SHARED));
        requests.put(
                "force", () -> StoreAbility.of(store, ForceReleaseStore.class).forceRelease(lock));
        requests.put("resize", () -> {
            StoreAbility.of(store, SemaphoreStore.class).resize(lock, 3);
            return "done";
        });
        requests.put("inspect", () -> store.inspect(lock));
        return requests;
    }

    /** False if the key has that type by right. */
    private boolean spoil(String key, String type) {
        if (type.equals(scene.server.command("TYPE", key))
                || (type.equals("string") && key.endsWith("}"))
                || (type.equals("zset") && key.matches(".*:[gql]"))) {
            return false;
        }
        scene.server.command("DEL", key);
        switch (type) {
            case "string" -> scene.server.command("SET", key, "x");
            case "list" -> scene.server.command("RPUSH", key, "x");
            case "set" -> scene.server.command("SADD", key, "x");
            case "hash" -> scene.server.command("HSET", key, "x", "y");
            default -> scene.server.command("ZADD", key, "1", "x");
        }
        return true;
    }

    private static void failed(String what, Supplier<Object> request) {
        Object answer;
        try {
            answer = request.get();
        } catch (LockkeeperException e) {
            answer = e;
        }
        if (answer instanceof List<?> renewals) {
            answer = renewals.get(0);
        }
        assertThat(answer)
                .as(what)
                .isInstanceOfAny(Answer.Refused.class, Renewal.Unknown.class, LockkeeperException.class);
    }

    @Test
    void latchesWriteNothingWhenAKeyHasAnotherType() {
        LatchStore latches = StoreAbility.of(scene.store("a"), LatchStore.class);
        for (String part : List.of("", ":o", ":w")) {
            Resource latch = new Resource(Family.LATCH, "latch" + part);
            latches.set(latch, "op", 1);
            long generation = latches.state(latch, false).generation();
            scene.server.command("DEL", scene.key(latch) + part);
            scene.server.command("RPUSH", scene.key(latch) + part, "x");
            List<String> before = KeySnapshot.of(scene.server);
            for (Supplier<Object> request : List.<Supplier<Object>>of(
                    () -> latches.state(latch, true),
                    () -> latches.set(latch, "op2", 3),
                    () -> latches.countDown(latch, generation, "op3"))) {
                failed("latch" + part, request);
                assertThat(KeySnapshot.of(scene.server)).as("latch" + part).isEqualTo(before);
            }
        }
    }

    @Test
    void aGuardWritesNothingWhenAKeyHasAnotherType() {
        try (RedisBackend backend = RedisBackend.at(scene.server.url());
                Lockkeeper keeper = Lockkeeper.of(backend)) {
            scene.server.command("RPUSH", "data", "x");
            List<String> before = KeySnapshot.of(scene.server);
            assertThatThrownBy(() ->
                            keeper.lock("guarded").run(hold -> backend.fencing().write("data", "value", hold)))
                    .isInstanceOf(LockkeeperException.class);
            assertThat(KeySnapshot.of(scene.server)).containsAll(before).noneMatch(key -> key.contains("}:guard"));
        }
    }

    @Test
    void theNameIsFreeAgainWhenTheKeyIsMended() {
        try (Lockkeeper keeper = Lockkeeper.connect(scene.server.url())) {
            Resource lock = StoreScene.lock();
            scene.server.command("RPUSH", scene.key(lock), "x");
            assertThatThrownBy(() -> keeper.lock(lock.name()).tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("delete that key, or use another name");
            scene.server.command("DEL", scene.key(lock));

            assertThat(keeper.lock(lock.name()).tryAcquire()).isNotNull();
        }
    }
}
