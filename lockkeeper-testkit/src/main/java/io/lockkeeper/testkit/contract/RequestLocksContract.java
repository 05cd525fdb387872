package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.RequestLocks;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks that are owned by ids of the application. */
@Needs(Capability.PORTABLE)
public abstract class RequestLocksContract extends ContractTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final String id = "request-" + UUID.randomUUID();

    private RequestLocks here() {
        return keeper().requests();
    }

    private RequestLocks there() {
        return otherKeeper().requests();
    }

    private Duration left(String key) {
        return stateOf(key).grants().get(0).remaining();
    }

    private long token(String key) {
        return stateOf(key).grants().get(0).token();
    }

    @Test
    void oneIdHasItAndNoOther() {
        String key = freshName();
        assertThat(here().tryLock(key, id, LEASE)).isTrue();
        assertThat(here().tryLock(key, "another", LEASE)).isFalse();
        assertThat(there().tryLock(key, "another", LEASE)).isFalse();
        assertThat(there().unlock(key, "another")).isFalse();
        assertThat(stateOf(key).grants()).hasSize(1);
        assertThat(here().unlock(key, id)).isTrue();
        assertThat(here().unlock(key, id)).isFalse();
        assertNoTrace(key);
    }

    @Test
    void theSameIdEntersAgainFromAnyProcessAndItsLeaseBeginsAnew() {
        String key = freshName();
        assertThat(here().tryLock(key, id, LEASE)).isTrue();
        assertThat(left(key)).isLessThanOrEqualTo(LEASE);
        assertThat(there().tryLock(key, id, LONG)).isTrue();
        assertThat(left(key)).isGreaterThan(LEASE);
        assertThat(here().tryLock(key, id, LEASE)).as("it never gets shorter").isTrue();
        assertThat(left(key)).isGreaterThan(LEASE);
        assertThat(there().unlock(key, id)).isTrue();
        assertNoTrace(key);
    }

    @Test
    void anIdMayBeUsedAgainAndTokensGrow() {
        String key = freshName();
        long last = 0;
        for (int i = 0; i < 5; i++) {
            assertThat(here().tryLock(key, id, LEASE)).isTrue();
            assertThat(token(key)).isGreaterThan(last);
            last = token(key);
            assertThat((i % 2 == 0 ? here() : there()).unlock(key, id)).isTrue();
        }
        try (ExclusiveHold hold = take(keeper().lock(key))) {
            assertThat(hold.token()).isGreaterThan(last);
        }
    }

    @Test
    void itIsTheSameResourceAsTheLockOfThatName() throws Exception {
        String key = freshName();
        try (ExclusiveHold hold = take(otherKeeper().lock(key))) {
            assertThat(here().tryLock(key, id, LEASE)).isFalse();
            assertThat(there().tryLock(key, id, LEASE)).isFalse();
            assertThat(here().unlock(key, id)).isFalse();
            assertThat(hold.token()).isEqualTo(token(key));
        }
        assertThat(here().tryLock(key, id, LEASE)).isTrue();
        taken(keeper().lock(key));
        CompletableFuture<ExclusiveHold> next = otherKeeper().lock(key).acquireAsync();
        awaitQueued(key, 1);
        assertThat(here().unlock(key, id)).isTrue();
        get(next).close();
    }

    @Test
    void oneThatIsOnlyKeptForLaterIsGivenBack() throws Exception {
        if (can(Capability.STICKY)) {
            String key = freshName();
            keeper().lock(key)
                    .sticky(Duration.ofSeconds(10))
                    .withLease(LEASE)
                    .acquire()
                    .close();
            assertThat(here().lock(key, id, LEASE, PATIENCE)).isTrue();
            here().unlock(key, id);
            otherKeeper()
                    .lock(key)
                    .sticky(Duration.ofSeconds(10))
                    .withLease(LEASE)
                    .acquire()
                    .close();
            assertThat(here().lock(key, id, LEASE, PATIENCE)).isTrue();
            here().unlock(key, id);
        }
    }

    @Test
    void aWaiterHasItAfterTheUnlock() throws Exception {
        String key = freshName();
        assertThat(here().tryLock(key, id, LEASE)).isTrue();
        assertThat(there().lock(key, "another", LEASE, Duration.ofMillis(30))).isFalse();
        assertThat(get(there().lockAsync(key, "another", LEASE, Duration.ofMillis(30))))
                .isFalse();
        CompletableFuture<Boolean> waiting = there().lockAsync(key, "another", LEASE, PATIENCE);
        Task<Boolean> blocked = inThread(() -> there().lock(key, "another", LEASE, PATIENCE));
        assertThat(get(here().unlockAsync(key, id))).isTrue();
        assertThat(get(waiting)).isTrue();
        assertThat(blocked.get()).as("the same id enters again").isTrue();
        assertThat(get(here().tryLockAsync(key, id, LEASE))).isFalse();
        assertThat(here().unlock(key, "another")).isTrue();
        assertNoTrace(key);
    }

    @Test
    @AboutTime
    void aLostReplyIsAnsweredByAskingAgain() throws Exception {
        String key = freshName();
        FaultyBackend network = faulty();
        RequestLocks mine = openHastyKeeper(network).requests();
        network.network().failAfter(Call.ATTEMPT, 1);
        assertThatThrownBy(() -> mine.tryLock(key, id, LEASE)).isInstanceOf(StoreUnavailableException.class);
        assertThat(there().tryLock(key, "another", LEASE)).as("it was executed").isFalse();
        assertThat(mine.tryLock(key, id, LEASE)).isTrue();
        network.network().failAfter(Call.RELEASE, 1);
        assertThatThrownBy(() -> mine.unlock(key, id)).isInstanceOf(StoreUnavailableException.class);
        assertThat(mine.unlock(key, id)).as("done before").isFalse();
        network.network().failAfter(Call.ATTEMPT, 1);
        assertThat(mine.lock(key, id, LEASE, PATIENCE))
                .as("it asks again itself")
                .isTrue();
        assertThat(mine.unlock(key, id)).isTrue();
        assertNoTrace(key);
    }

    @Test
    @AboutTime
    void itEndsByItself() throws Exception {
        String key = freshName();
        assertThat(here().tryLock(key, id, brief())).isTrue();
        assertThat(there().lock(key, "another", LEASE, PATIENCE)).isTrue();
        assertThat(here().unlock(key, id)).isFalse();
        assertThat(there().unlock(key, "another")).isTrue();
    }

    @Test
    void anyVisibleIdIsTakenAsItIs() {
        for (String odd :
                List.of("x", "a-b", "100%", "^(.+)[x]*$?", "{slot}", "früh/日本", "\ud83d\udd12", "9".repeat(255))) {
            String key = freshName();
            assertThat(here().tryLock(key, odd, LEASE)).as(odd).isTrue();
            assertThat(there().tryLock(key, odd, LEASE)).as(odd).isTrue();
            assertThat(there().tryLock(key, odd.substring(odd.offsetByCodePoints(0, 1)) + "y", LEASE))
                    .as(odd)
                    .isFalse();
            assertThat(there().unlock(key, odd)).as(odd).isTrue();
            assertNoTrace(key);
        }
        for (String bad : List.of("", "two words", "line\n", "\u00a0", "9".repeat(256), "half\ud83d", "\udd12")) {
            assertThatThrownBy(() -> here().tryLock("k", bad, LEASE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("such as a UUID");
            assertThatThrownBy(() -> here().unlock("k", bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aClosedKeeperAsksNoMore() throws Exception {
        String key = freshName();
        Lockkeeper mine = openKeeper();
        RequestLocks requests = mine.requests();
        assertThat(here().tryLock(key, id, LEASE)).isTrue();
        CompletableFuture<Boolean> waiting = requests.lockAsync(key, "another", LEASE, LONG);
        mine.close();
        assertThatThrownBy(() -> get(waiting)).hasCauseInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(() -> requests.tryLock(key, id, LEASE)).isInstanceOf(KeeperClosedException.class);
        assertThatThrownBy(() -> requests.unlock(key, id)).isInstanceOf(KeeperClosedException.class);
        assertThat(here().unlock(key, id)).isTrue();
    }
}
