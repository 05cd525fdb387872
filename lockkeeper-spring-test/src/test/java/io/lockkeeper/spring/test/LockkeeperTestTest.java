package io.lockkeeper.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.testkit.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A context with the beans under test, and locks in memory. */
@LockkeeperTest(LockkeeperTestTest.Orders.class)
class LockkeeperTestTest {

    /** A bean under test. */
    static final class Orders {

        private final Lockkeeper keeper;

        Orders(Lockkeeper keeper) {
            this.keeper = keeper;
        }

        boolean ship(long id, Runnable meanwhile) {
            try (ExclusiveHold hold = keeper.lock("order:" + id).tryAcquire()) {
                if (hold == null) {
                    return false;
                }
                meanwhile.run();
                hold.ensureHeld();
                return true;
            }
        }
    }

    @Autowired
    private Orders orders;

    @Autowired
    private TestLocks locks;

    @Test
    void shipsUnderTheLock() {
        assertThat(orders.ship(42, () -> assertThat(locks.isHeld("order:42")).isTrue()))
                .isTrue();
        assertThat(locks.isHeld("order:42")).isFalse();
    }

    @Test
    void doesNotShipWhileAnotherProcessDoes() {
        try (Registration busy = locks.busy("order:42")) {
            assertThat(orders.ship(42, () -> {
                        throw new AssertionError("shipped twice");
                    }))
                    .isFalse();
        }
    }

    @Test
    void noticesThatTheLockIsLost() {
        assertThatThrownBy(() -> orders.ship(42, () -> {
                    try {
                        locks.lose("order:42");
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .isInstanceOf(LockLostException.class);
    }
}
