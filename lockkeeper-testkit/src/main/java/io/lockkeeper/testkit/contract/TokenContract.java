package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Fencing tokens: of one resource they only ever go up, and a hold's own never changes. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class TokenContract extends ContractTest {
    private static void assertStrictlyIncreasing(List<Long> tokens) {
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    // D16 too: nothing is left of the name in between, and tokens still grow.
    @Test
    void tokensGrowFromHoldToHold() throws Exception {
        String name = freshName();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Lockkeeper turn = i % 2 == 0 ? keeper() : otherKeeper();
            try (ExclusiveHold hold = turn.lock(name).acquire()) {
                tokens.add(hold.token());
            }
            assertNoTrace(name);
        }
        assertStrictlyIncreasing(tokens);
    }

    @Test
    void tokensGrowOverEveryWayToHold() throws Exception {
        String name = freshName();
        DistributedLock lock = keeper().lock(name);
        List<Long> tokens = new ArrayList<>();
        List<DistributedLock> ways = new ArrayList<>(List.of(lock, lock.withFixedLease(Duration.ofSeconds(30))));
        if (can(Capability.FAIR)) {
            ways.add(keeper().fairLock(name));
        }
        if (can(Capability.PORTABLE)) {
            ways.add(lock.portable());
        }
        if (can(Capability.SHARED)) {
            ways.add(keeper().readWriteLock(name).writeLock());
        }
        ways.add(otherKeeper().lock(name));
        for (DistributedLock way : ways) {
            try (ExclusiveHold hold = way.acquire()) {
                tokens.add(hold.token());
            }
            way.lock();
            tokens.add(way.currentHold().token());
            way.unlock();
            try (ExclusiveHold hold = get(way.acquireAsync())) {
                tokens.add(hold.token());
            }
        }
        assertStrictlyIncreasing(tokens);
    }

    @Test
    void tokensGrowOverProcesses() throws Exception {
        String name = freshName();
        Peer peer = peer(Duration.ofSeconds(30));
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tokens.add(LockProgram.token(peer.ask("acquire " + name)));
            assertThat(peer.ask("release")).isEqualTo("RELEASED");
            try (ExclusiveHold hold = keeper().lock(name).acquire()) {
                tokens.add(hold.token());
            }
        }
        assertStrictlyIncreasing(tokens);
    }

    @Test
    @AboutTime
    void tokensGrowAfterAHolderWasKilled() throws Exception {
        String name = freshName();
        Peer peer = peer(lease());
        long token = LockProgram.token(peer.ask("acquire " + name));
        peer.kill();
        try (ExclusiveHold hold = held(keeper().lock(name).tryAcquire(PATIENCE))) {
            assertThat(hold.token()).isGreaterThan(token);
        }
    }

    @Test
    @AboutTime
    void tokensGrowAfterALoss() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold lost = lostHold(lock);
        try (ExclusiveHold next = otherKeeper().lock(lock.name()).acquire()) {
            assertThat(next.token()).isGreaterThan(lost.token());
        }
        try (ExclusiveHold next = lock.acquire()) {
            assertThat(next.token()).isGreaterThan(lost.token() + 1);
        }
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void tokensGrowAfterAForcedRelease() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        assertThat(otherKeeper().forceRelease(name)).isTrue();
        try (ExclusiveHold next = otherKeeper().lock(name).acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }
    }

    @Test
    void tokensGrowOverKeepersThatComeAndGo() throws Exception {
        String name = freshName();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            try (Lockkeeper brief = openKeeper()) {
                tokens.add(take(brief.lock(name)).token());
            }
        }
        assertStrictlyIncreasing(tokens);
    }

    // Redisson's getToken() asks the store, so a stale holder reads its successor's.
    @Test
    @AboutTime
    void aStaleHoldersTokenStaysItsOwn() throws Exception {
        String name = freshName();
        ExclusiveHold stale = take(keeper().lock(name).withFixedLease(brief()));
        long token = stale.token();
        String id = stale.id();
        try (ExclusiveHold next = otherKeeper().lock(name).acquire()) {
            assertThat(stale.state()).isEqualTo(HoldState.LOST);
            assertThat(stale.token()).isEqualTo(token).isLessThan(next.token());
            assertThat(stale.id()).isEqualTo(id).isNotEqualTo(next.id());
        }
    }

    @Test
    void noTwoHoldsHaveTheSameId() throws Exception {
        Set<String> ids = new HashSet<>();
        String name = freshName();
        for (int i = 0; i < 100; i++) {
            try (ExclusiveHold hold = keeper().lock(name).acquire();
                    ExclusiveHold elsewhere = take(otherKeeper().lock(name + i))) {
                assertThat(ids.add(hold.id())).isTrue();
                assertThat(ids.add(elsewhere.id())).isTrue();
            }
        }
    }
}
