package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.StoreAbility;
import java.util.ArrayList;
import java.util.List;

/** Shared claims, permits and latches below the engine. What a store does not declare it is never asked for. */
public abstract class StoreModesContract extends ContractTest {
    private StoreAccess open() {
        return closing(new StoreAccess(this, fixture().backend()));
    }

    private void assertGranted(StoreAccess access, Claim claim) {
        access.granted(claim, can(Capability.QUEUE));
    }

    private static void assertWaits(StoreAccess access, Claim claim) {
        assertThat(access.store().attempt(claim)).isInstanceOf(Answer.Wait.class);
    }

    private int grants(StoreAccess access, Resource resource) {
        return access.store()
                .inspect(resource)
                .map(ResourceState::grants)
                .orElse(List.of())
                .size();
    }

    @TestIfOffered(Capability.SHARED)
    void sharedClaimsHoldTogetherAndExcludeTheExclusive() {
        StoreAccess a = open();
        StoreAccess b = open();
        Resource lock = lockNamed(freshName());
        Claim first = a.claim(lock, Mode.SHARED);
        Claim second = b.claim(lock, Mode.SHARED);
        Claim alone = b.claim(lock, Mode.EXCLUSIVE);
        assertGranted(a, first);
        assertGranted(b, second);
        assertGranted(b, StoreAccess.again(second));
        assertThat(grants(a, lock)).isEqualTo(2);
        assertWaits(b, alone);
        a.release(first);
        assertWaits(b, alone);
        b.release(second);
        assertGranted(b, alone);
        assertWaits(a, a.claim(lock, Mode.SHARED));
        b.release(alone);
        assertThat(a.store().inspect(lock)).isEmpty();
    }

    @TestIfOffered(Capability.SHARED)
    void narrowingTwiceIsNarrowingOnceAndKeepsTheToken() {
        StoreAccess a = open();
        StoreAccess b = open();
        Resource lock = lockNamed(freshName());
        Claim writing = a.claim(lock, Mode.EXCLUSIVE);
        assertGranted(a, writing);
        long token = a.store().inspect(lock).orElseThrow().grants().get(0).token();
        assertThat(StoreAbility.of(a.store(), NarrowingStore.class).narrow(writing, Mode.SHARED))
                .isTrue();
        assertThat(StoreAbility.of(a.store(), NarrowingStore.class).narrow(writing, Mode.SHARED))
                .isTrue();
        ResourceState.Grant grant =
                a.store().inspect(lock).orElseThrow().grants().get(0);
        assertThat(grant.shared()).isTrue();
        assertThat(grant.token()).isEqualTo(token);
        Claim reading = b.claim(lock, Mode.SHARED);
        assertGranted(b, reading);
        assertWaits(b, b.claim(lock, Mode.EXCLUSIVE));
        b.release(reading);
        assertThat(a.release(writing)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(StoreAbility.of(a.store(), NarrowingStore.class).narrow(writing, Mode.SHARED))
                .isFalse();
    }

    @TestIfOffered(Capability.PERMITS)
    void permitsAreCountedOncePerClaim() {
        StoreAccess a = open();
        StoreAccess b = open();
        Resource semaphore = new Resource(Family.SEMAPHORE, freshName());
        Claim two = a.claim(semaphore, Mode.permits(2, 3));
        assertGranted(a, two);
        assertGranted(a, StoreAccess.again(two));
        assertGranted(a, StoreAccess.again(two));
        assertWaits(b, b.claim(semaphore, Mode.permits(2, 3)));
        Claim one = b.claim(semaphore, Mode.permits(1, 3));
        assertGranted(b, one);
        assertWaits(b, b.claim(semaphore, Mode.permits(1, 3)));
        assertThat(StoreAbility.of(a.store(), NarrowingStore.class).narrow(two, Mode.permits(1, 3)))
                .isTrue();
        assertThat(StoreAbility.of(a.store(), NarrowingStore.class).narrow(two, Mode.permits(1, 3)))
                .isTrue();
        Claim another = b.claim(semaphore, Mode.permits(1, 3));
        assertGranted(b, another);
        assertWaits(b, b.claim(semaphore, Mode.permits(1, 3)));
        for (Claim claim : List.of(one, another)) {
            assertThat(b.release(claim)).isEqualTo(Release.Outcome.RELEASED);
        }
        assertThat(a.release(two)).isEqualTo(Release.Outcome.RELEASED);
        Claim all = a.claim(semaphore, Mode.permits(3, 3));
        assertGranted(a, all);
        a.release(all);
    }

    /** A store that renames what it narrows could release the old name only, and leave the new one in everybody's way. */
    @TestIfOffered(Capability.SHARED)
    void aNarrowingThatOverlapsTheReleaseLeavesNothing() throws Exception {
        StoreAccess a = open();
        NarrowingStore narrowing = StoreAbility.of(a.store(), NarrowingStore.class);
        for (int i = 0; i < 40; i++) {
            Resource lock = lockNamed(freshName());
            Claim claim = a.claim(lock, Mode.EXCLUSIVE);
            a.granted(claim, false);
            Task<Boolean> narrowed = inThread(() -> narrowing.narrow(claim, Mode.SHARED));
            a.release(claim);
            assertThat(narrowed.get()).isNotNull();
            eventually("nothing is left of it", () -> a.store().inspect(lock).isEmpty());
            assertThat(narrowing.narrow(claim, Mode.SHARED)).isFalse();
        }
    }

    @TestIfOffered(Capability.PERMITS)
    void anotherSizeOfASemaphoreIsRefusedWithBothNumbers() {
        StoreAccess a = open();
        Resource semaphore = new Resource(Family.SEMAPHORE, freshName());
        Claim held = a.claim(semaphore, Mode.permits(1, 3));
        assertGranted(a, held);
        assertThat(a.store().attempt(a.claim(semaphore, Mode.permits(1, 17))))
                .isInstanceOfSatisfying(Answer.Refused.class, refused -> {
                    assertThat(refused.cause()).isEqualTo(Answer.Cause.FINAL);
                    assertThat(refused.message()).contains("3").contains("17");
                });
        StoreAbility.of(a.store(), SemaphoreStore.class).resize(semaphore, 17);
        Claim many = a.claim(semaphore, Mode.permits(16, 17));
        assertGranted(a, many);
        a.release(held);
        a.release(many);
    }

    @TestIfOffered(Capability.LATCH)
    void aLatchCountsAnOperationOnceAndAGenerationNeverComesBack() {
        LatchStore latches = StoreAbility.of(open().store(), LatchStore.class);
        Resource latch = new Resource(Family.LATCH, freshName());
        assertThat(latches.state(latch, false).count()).isZero();
        String set = StoreAccess.randomId();
        assertThat(latches.set(latch, set, 2)).isTrue();
        assertThat(latches.set(latch, set, 2)).as("the same operation again").isTrue();
        assertThat(latches.set(latch, StoreAccess.randomId(), 5)).isFalse();
        long generation = latches.state(latch, false).generation();
        String down = StoreAccess.randomId();
        assertThat(latches.countDown(latch, generation, down)).isTrue();
        assertThat(latches.countDown(latch, generation, down)).isTrue();
        assertThat(latches.state(latch, false).count()).isEqualTo(1);
        latches.countDown(latch, generation, StoreAccess.randomId());
        assertThat(latches.state(latch, false).count()).isZero();
        List<Long> generations = new ArrayList<>(List.of(generation));
        for (int i = 0; i < 3; i++) {
            assertThat(latches.set(latch, StoreAccess.randomId(), 1)).isTrue();
            long next = latches.state(latch, false).generation();
            assertThat(generations).doesNotContain(next);
            generations.add(next);
            assertThat(latches.countDown(latch, generation, StoreAccess.randomId()))
                    .as("of another generation")
                    .isFalse();
            latches.delete(latch, generation);
            assertThat(latches.state(latch, false).count()).isEqualTo(1);
            latches.delete(latch, next);
            assertThat(latches.state(latch, false).count()).isZero();
        }
    }
}
