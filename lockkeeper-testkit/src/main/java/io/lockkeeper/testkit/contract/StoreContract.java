package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The store below the engine: the rules of {@link Store}, asked of it directly. */
public abstract class StoreContract extends ContractTest {

    private static final Duration LIMIT = StoreAccess.LIMIT;
    private static final Duration LEASE = StoreAccess.LEASE;

    private Answer.Granted granted(StoreAccess access, Claim claim) {
        return access.granted(claim, can(Capability.QUEUE));
    }

    private StoreAccess open() {
        return closing(new StoreAccess(this, fixture().backend()));
    }

    private static Claim queueing(StoreAccess access, Resource resource) {
        return access.claim(resource, Mode.EXCLUSIVE, Claim.Queueing.PLAIN, LEASE, 1);
    }

    /** Asks until it has its place, where there are places: who is not heard yet gets none. */
    private void takesPlace(StoreAccess access, Claim claim, int place) {
        eventually("it has a place", () -> {
            assertThat(access.store().attempt(claim)).isInstanceOf(Answer.Wait.class);
            return !keepsOrder() || stateOf(claim.resource().name()).waiting() == place;
        });
    }

    @Test
    void theSameClaimAskedAgainIsTheSameGrant() {
        StoreAccess a = open();
        Claim claim = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        Answer.Granted first = granted(a, claim);
        Answer.Granted second = granted(a, StoreAccess.again(claim));
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(a.store().inspect(claim.resource()).orElseThrow().grants()).hasSize(1);
        assertThat(a.release(claim)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(a.release(claim)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store().inspect(claim.resource())).isEmpty();
    }

    // A request that was overtaken by the release of its own claim must not grant anything to nobody.
    @Test
    void aLateDuplicateOfAReleasedClaimIsRefused() {
        StoreAccess a = open();
        StoreAccess b = open();
        Claim seen = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        granted(a, seen);
        assertThat(a.release(seen, true)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(a.store().attempt(StoreAccess.again(seen))).isInstanceOf(Answer.Refused.class);
        Claim never = queueing(a, lockNamed(freshName()));
        assertThat(a.release(never, true)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store().attempt(StoreAccess.again(never)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        for (Claim dead : List.of(seen, never)) {
            Claim next = b.claim(dead.resource(), Mode.EXCLUSIVE);
            granted(b, next);
            b.release(next);
        }
    }

    @Test
    void endingAndRenewingMatchTheId() {
        StoreAccess a = open();
        StoreAccess b = open();
        Claim mine = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        granted(a, mine);
        Claim other = b.claim(mine.resource(), Mode.EXCLUSIVE);
        assertThat(b.store().attempt(other)).isInstanceOf(Answer.Wait.class);
        assertThat(b.release(other)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(b.store().renew(List.of(other), LIMIT)).singleElement().isInstanceOf(Renewal.Gone.class);
        assertThat(a.store().renew(List.of(mine), LIMIT)).singleElement().isInstanceOf(Renewal.Kept.class);
        assertThat(a.release(mine)).isEqualTo(Release.Outcome.RELEASED);
    }

    // D3: one grant that cannot be renewed does not harm the others of its batch.
    @Test
    void aBatchOfRenewalsIsAnsweredOneByOneInOrder() {
        StoreAccess a = open();
        List<Claim> claims = Stream.generate(() -> a.claim(lockNamed(freshName()), Mode.EXCLUSIVE))
                .limit(20)
                .toList();
        for (int i = 0; i < claims.size(); i++) {
            if (i % 5 != 3) {
                granted(a, claims.get(i));
            }
        }
        List<Renewal> answers = a.store().renew(claims, LIMIT);
        assertThat(answers).hasSameSizeAs(claims);
        for (int i = 0; i < claims.size(); i++) {
            assertThat(answers.get(i)).isInstanceOf(i % 5 == 3 ? Renewal.Gone.class : Renewal.Kept.class);
            a.release(claims.get(i));
        }
    }

    @Test
    void aClaimThatMustNotQueueLeavesNoTrace() {
        StoreAccess a = open();
        StoreAccess b = open();
        Claim mine = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        granted(a, mine);
        Claim other = b.claim(mine.resource(), Mode.EXCLUSIVE);
        assertThat(b.store().attempt(other)).isInstanceOf(Answer.Wait.class);
        assertThat(a.store().inspect(mine.resource()).orElseThrow().waiting()).isZero();
        a.release(mine);
        assertThat(a.store().inspect(mine.resource())).isEmpty();
    }

    @Test
    @AboutTime
    void aFreeResourceGoesToTheFirstInTheQueue() throws Exception {
        // Places are kept for 3 s, and nobody polls here.
        theFirstInTheQueueIsServed();
    }

    private void theFirstInTheQueueIsServed() {
        StoreAccess a = open();
        StoreAccess b = open();
        StoreAccess c = open();
        Claim mine = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        granted(a, mine);
        Claim first = queueing(b, mine.resource());
        takesPlace(b, first, 1);
        Claim second = queueing(c, mine.resource());
        Answer.Wait wait = (Answer.Wait) c.store().attempt(second);
        assertThat(wait.retryIn()).isPositive();
        takesPlace(c, second, 2);
        a.release(mine);
        if (keepsOrder()) {
            assertThat(c.store().attempt(second)).isInstanceOf(Answer.Wait.class);
            Claim third = a.claim(mine.resource(), Mode.EXCLUSIVE);
            assertThat(a.store().attempt(third)).isInstanceOf(Answer.Wait.class);
        }
        if (can(Capability.SIGNALS)) {
            eventually("the first is told", () -> b.wasSignalled(mine.resource()));
        }
        granted(b, first);
        b.release(first);
        granted(c, second);
        c.release(second);
        assertThat(a.store().inspect(mine.resource())).isEmpty();
    }

    @Test
    void withdrawingAClaimGivesUpItsPlace() {
        StoreAccess a = open();
        StoreAccess b = open();
        Claim mine = a.claim(lockNamed(freshName()), Mode.EXCLUSIVE);
        granted(a, mine);
        Claim waiting = queueing(b, mine.resource());
        takesPlace(b, waiting, 1);
        assertThat(b.release(waiting)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store().inspect(mine.resource()).orElseThrow().waiting()).isZero();
        a.release(mine);
        Claim next = a.claim(mine.resource(), Mode.EXCLUSIVE);
        granted(a, next);
        a.release(next);
    }

    @Test
    void aBlockOfTokensBelongsToItsClaimAlone() {
        StoreAccess a = open();
        Resource lock = lockNamed(freshName());
        long last = 0;
        for (int wanted : List.of(1, 64, 1, 65, 1)) {
            Claim block = a.claim(lock, Mode.EXCLUSIVE, Claim.Queueing.NEVER, LEASE, wanted);
            Answer.Granted grant = granted(a, block);
            assertThat(grant.token()).isGreaterThan(last);
            assertThat(grant.tokens()).isBetween(1, wanted);
            last = grant.token() + grant.tokens() - 1;
            a.release(block);
        }
    }

    @Test
    void everybodyReadsTheSameStoreId() {
        StoreAccess a = open();
        StoreAccess b = open();
        assertThat(a.store().storeId()).isNotEmpty().isEqualTo(b.store().storeId());
    }

    @Test
    @AboutTime
    void aGrantThatIsNotRenewedEndsByTheStoresClock() {
        StoreAccess a = open();
        StoreAccess b = open();
        Resource lock = lockNamed(freshName());
        Duration brief = brief();
        Claim mine = a.claim(lock, Mode.EXCLUSIVE, Claim.Queueing.NEVER, brief, 1);
        Answer.Granted first = granted(a, mine);
        Claim other = b.claim(lock, Mode.EXCLUSIVE);
        if (can(Capability.LEASES)) {
            assertThat(first.validity()).isLessThanOrEqualTo(brief);
            eventually("it is free", () -> b.store().attempt(other) instanceof Answer.Granted);
            assertThat(a.store().renew(List.of(mine), LIMIT)).singleElement().isInstanceOf(Renewal.Gone.class);
            assertThat(a.release(mine)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(b.release(other)).isEqualTo(Release.Outcome.RELEASED);
        } else {
            letPass(brief.multipliedBy(2));
            assertThat(b.store().attempt(other)).isInstanceOf(Answer.Wait.class);
            assertThat(a.release(mine)).isEqualTo(Release.Outcome.RELEASED);
        }
    }

    @Test
    @AboutTime
    void renewingKeepsAGrantAndSaysWhetherOthersWait() throws Exception {
        // Places are kept for 3 s, and nobody polls here.
        renewingSaysWhetherOthersWait();
    }

    private void renewingSaysWhetherOthersWait() {
        StoreAccess a = open();
        StoreAccess b = open();
        Resource lock = lockNamed(freshName());
        Claim mine = a.claim(lock, Mode.EXCLUSIVE);
        granted(a, mine);
        assertThat(a.store().renew(List.of(mine), LIMIT))
                .singleElement()
                .isInstanceOfSatisfying(
                        Renewal.Kept.class,
                        kept -> assertThat(kept.othersWait()).isFalse());
        Claim waiting = queueing(b, lock);
        takesPlace(b, waiting, 1);
        assertThat(a.store().renew(List.of(mine), LIMIT))
                .singleElement()
                .isInstanceOfSatisfying(Renewal.Kept.class, kept -> {
                    // A session store knows it only as far as it need not look for it.
                    if (keepsOrder() && (can(Capability.LEASES) || !can(Capability.EXPIRES))) {
                        assertThat(kept.othersWait()).isTrue();
                    }
                });
        a.release(mine);
        b.release(waiting);
        assertThat(a.store().inspect(lock)).isEmpty();
    }
}
