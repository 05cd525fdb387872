package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Family;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.Levels;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a keeper remembers of owners that lost their holds and never unlock: a few words, not one for each name. */
@Timeout(60)
class LostOwnersTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private final KeeperCore core = new KeeperCore(MemoryBackend.create(), Settings.DEFAULT);

    @AfterEach
    void close() {
        core.close(true);
    }

    private WriteLock lock(String name) {
        return new WriteLock(
                core, AcquireOptions.of(new Resource(Family.LOCK, name), Mode.EXCLUSIVE, LEASE, false), null);
    }

    private void lose(String name) {
        core.at(
                new Resource(Family.LOCK, name),
                slot -> slot.engine.grants().forEach(grant -> slot.engine.lose(core.now(), grant, Loss.Reason.TAKEN)));
        assertThat(lock(name).isHeldByCurrentThread()).isFalse();
    }

    @Test
    void namesThatWereLostAndNeverUnlockedLeaveNothingBehind() {
        for (int i = 0; i < 1000; i++) {
            lock("n" + i).lock();
            lose("n" + i);
        }
        eventually("all slots are taken down", () -> core.slots().isEmpty());
        assertThat(LostLevels.NAMES).isLessThan(1000);
        assertThatThrownBy(lock("n999")::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock("n0")::unlock)
                .as("long forgotten")
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aLossNobodyLooksAtTakesThePostDownToo() {
        lock("a").lock();
        Resource a = new Resource(Family.LOCK, "a");
        core.at(
                a,
                slot -> slot.engine.grants().forEach(grant -> slot.engine.lose(core.now(), grant, Loss.Reason.TAKEN)));
        eventually("the slot is taken down", () -> core.slots().isEmpty());
    }

    @Test
    void levelsOfAThreadGoWithTheThread() throws InterruptedException {
        LostLevels lost = new LostLevels();
        Resource name = new Resource(Family.LOCK, "a");
        Thread[] owner = {new Thread(() -> {})};
        lost.owe(owner[0], name, new Levels(), new Loss(Loss.Reason.TAKEN, name, "id", 1));
        assertThat(lost.threads()).isEqualTo(1);
        owner[0] = Thread.currentThread();
        eventually("forgotten", () -> {
            System.gc();
            return lost.threads() == 0;
        });
    }

    @Test
    void ofOwnersByNameTheLatestAreRemembered() {
        LostLevels lost = new LostLevels();
        Resource name = new Resource(Family.LOCK, "a");
        int most = LostLevels.NAMED_OWNERS;
        for (int i = 0; i <= most; i++) {
            WriteLock lock = (WriteLock) lock("n" + i).ownedBy("request " + i);
            lock.lock();
            core.at(
                    lock.order.resource(),
                    slot -> slot.engine
                            .grants()
                            .forEach(grant -> slot.engine.lose(core.now(), grant, Loss.Reason.TAKEN)));
        }
        eventually("all slots are taken down", () -> core.slots().isEmpty());
        assertThatThrownBy(lock("n" + most).ownedBy("request " + most)::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock("n0").ownedBy("request 0")::unlock)
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(lost.last("nobody", name, Mode.EXCLUSIVE)).isNull();
    }

    @Test
    void theLossesOfOneNameDoNotPileUp() {
        int losses = 3 * LostLevels.LEVELS;
        DistributedLock lock = lock("a").ownedBy("job");
        for (int i = 0; i < losses; i++) {
            lock.lock();
            core.at(
                    new Resource(Family.LOCK, "a"),
                    slot -> slot.engine
                            .grants()
                            .forEach(grant -> slot.engine.lose(core.now(), grant, Loss.Reason.EXPIRED)));
        }
        int told = 0;
        while (tellsOfALoss(lock)) {
            told++;
        }
        assertThat(told).isBetween(1, LostLevels.LEVELS + 1);
    }

    private static boolean tellsOfALoss(DistributedLock lock) {
        try {
            lock.unlock();
        } catch (LockLostException lost) {
            return true;
        } catch (IllegalMonitorStateException neverHeld) {
            return false;
        }
        throw new AssertionError("It was held");
    }

    /** The timer is held up at another lock, so the engine has not been told of the end. */
    @Test
    void anOwnerLocksAgainThoughTheTimerHasNotSeenTheEndOfItsHold() {
        HandClocks clocks = new HandClocks();
        KeeperCore held = new KeeperCore(MemoryBackend.create(clocks), Settings.DEFAULT.withClocks(clocks));
        try {
            LiveKeeper keeper = new LiveKeeper(held, false);
            Duration fixed = Duration.ofSeconds(5);
            keeper.lock("first").withFixedLease(fixed).lock();
            DistributedLock second = keeper.lock("second").withFixedLease(fixed);
            second.lock();
            ResourceSlot first = held.enter(new Resource(Family.LOCK, "first"));
            try {
                clocks.advance(fixed.plusSeconds(1));
                assertThat(second.tryLock()).isTrue();
            } finally {
                held.leave(first, null);
            }
            second.unlock();
        } finally {
            held.close(true);
        }
    }
}
