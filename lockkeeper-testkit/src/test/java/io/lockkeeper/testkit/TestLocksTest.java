package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bad days on demand. */
@ExtendWith(LockkeeperExtension.class)
class TestLocksTest {

    @Test
    void aLockIsBusyUntilToldOtherwise(Lockkeeper keeper, TestLocks locks) throws Exception {
        assertThat(locks.keeper()).isSameAs(keeper);
        try (Registration busy = locks.busy("orders/42")) {
            assertThat(keeper.lock("orders/42").tryAcquire()).isNull();
            assertThat(keeper.lock("orders/42").tryAcquire(Duration.ofMillis(20)))
                    .isNull();
            assertThat(keeper.inspect("orders/42")
                            .orElseThrow()
                            .grants()
                            .get(0)
                            .holder()
                            .note())
                    .isEqualTo("another process");
            assertThatThrownBy(() -> locks.busy("orders/42")).isInstanceOf(IllegalStateException.class);
        }
        keeper.lock("orders/42").acquire().close();
        assertThat(locks.isHeld("orders/42")).isFalse();
    }

    @Test
    void aLockIsLostNow(Lockkeeper keeper, TestLocks locks) throws Exception {
        ExclusiveHold hold = keeper.lock("orders/42").acquire();
        locks.lose("orders/42");
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
        assertThat(locks.isHeld("orders/42")).isFalse();
        assertThatThrownBy(() -> locks.lose("orders/42")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anHourPassesNow(Lockkeeper keeper, TestLocks locks) throws Exception {
        ExclusiveHold hold =
                keeper.lock("orders/42").withFixedLease(Duration.ofHours(1)).acquire();
        locks.pass(Duration.ofMinutes(59));
        hold.ensureHeld();
        locks.pass(Duration.ofMinutes(1));
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
        assertThat(hold.lost().get(30, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(keeper.lock("orders/42").tryAcquire()).isNotNull();
        assertThatThrownBy(() -> locks.pass(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theStoreFailsAndIsBack(Lockkeeper keeper, TestLocks locks) throws Exception {
        locks.storeFails(true);
        assertThatThrownBy(() -> keeper.lock("orders/42").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
        locks.storeFails(false);
        keeper.lock("orders/42").acquire().close();
    }
}
