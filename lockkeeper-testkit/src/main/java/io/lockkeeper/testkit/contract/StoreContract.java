package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The store below the engine: the rules of {@link Store}, asked of it directly. */
public abstract class StoreContract extends ContractTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** A keeper that only notes what it is told. */
    private static final class Listener implements Keeper {
        private final String id = UUID.randomUUID().toString().replace("-", "");
        private final Set<Resource> signalled = ConcurrentHashMap.newKeySet();
        private final Set<String> claims = ConcurrentHashMap.newKeySet();

        @Override
        public String id() {
            return id;
        }

        @Override
        public HolderInfo holder() {
            return new HolderInfo(id, "here", ProcessHandle.current().pid(), "contract");
        }

        @Override
        public Duration commandLimit() {
            return LIMIT;
        }

        @Override
        public Clocks clocks() {
            return Clocks.system();
        }

        @Override
        public void signal(Resource resource) {
            signalled.add(resource);
        }

        @Override
        public void signalAll() {
            // Nothing here waits for a particular signal.
        }

        @Override
        public boolean knows(String claimId) {
            return claims.contains(claimId);
        }
    }

    /** A keeper and its store. */
    private final class Access {
        final Listener keeper = new Listener();
        final Store store = closing(fixture().backend().open(keeper));

        Claim claim(Resource resource, Claim.Queueing queueing) {
            String id = UUID.randomUUID().toString().replace("-", "");
            keeper.claims.add(id);
            return new Claim(id, resource, Mode.EXCLUSIVE, LEASE, false, 1, queueing, false, keeper.holder(), LIMIT);
        }

        Release.Outcome release(Claim claim, boolean unanswered) {
            return store.release(new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT));
        }
    }

    private static Answer.Granted granted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    private static Claim again(Claim claim) {
        return new Claim(
                claim.id(),
                claim.resource(),
                claim.mode(),
                claim.lease(),
                claim.fixed(),
                claim.tokens(),
                claim.queueing(),
                true,
                claim.holder(),
                claim.limit());
    }

    @Test
    void theSameClaimAskedAgainIsTheSameGrant() {
        Access a = new Access();
        Claim claim = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        Answer.Granted first = granted(a.store.attempt(claim));
        Answer.Granted second = granted(a.store.attempt(again(claim)));
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(a.store.inspect(claim.resource()).orElseThrow().grants()).hasSize(1);
        assertThat(a.release(claim, false)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(a.release(claim, false)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store.inspect(claim.resource())).isEmpty();
    }

    // A request that was overtaken by the release of its own claim must not grant anything to nobody.
    @Test
    void aLateDuplicateOfAReleasedClaimIsRefused() {
        Access a = new Access();
        Access b = new Access();
        Claim seen = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        granted(a.store.attempt(seen));
        assertThat(a.release(seen, true)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(a.store.attempt(again(seen))).isInstanceOf(Answer.Refused.class);
        Claim never = a.claim(lockNamed(freshName()), Claim.Queueing.PLAIN);
        assertThat(a.release(never, true)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store.attempt(again(never)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        for (Claim dead : List.of(seen, never)) {
            Claim next = b.claim(dead.resource(), Claim.Queueing.NEVER);
            granted(b.store.attempt(next));
            b.release(next, false);
        }
    }

    @Test
    void endingAndRenewingMatchTheId() {
        Access a = new Access();
        Access b = new Access();
        Claim mine = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        granted(a.store.attempt(mine));
        Claim other = b.claim(mine.resource(), Claim.Queueing.NEVER);
        assertThat(b.store.attempt(other)).isInstanceOf(Answer.Wait.class);
        assertThat(b.release(other, false)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(b.store.renew(List.of(other), LIMIT)).singleElement().isInstanceOf(Renewal.Gone.class);
        assertThat(a.store.renew(List.of(mine), LIMIT)).singleElement().isInstanceOf(Renewal.Kept.class);
        assertThat(a.release(mine, false)).isEqualTo(Release.Outcome.RELEASED);
    }

    // D3: one grant that can not be renewed does not harm the others of its batch.
    @Test
    void aBatchOfRenewalsIsAnsweredOneByOneInOrder() {
        Access a = new Access();
        List<Claim> claims = Stream.generate(() -> a.claim(lockNamed(freshName()), Claim.Queueing.NEVER))
                .limit(20)
                .toList();
        for (int i = 0; i < claims.size(); i++) {
            if (i % 5 != 3) {
                granted(a.store.attempt(claims.get(i)));
            }
        }
        List<Renewal> answers = a.store.renew(claims, LIMIT);
        assertThat(answers).hasSameSizeAs(claims);
        for (int i = 0; i < claims.size(); i++) {
            assertThat(answers.get(i)).isInstanceOf(i % 5 == 3 ? Renewal.Gone.class : Renewal.Kept.class);
            a.release(claims.get(i), false);
        }
    }

    @Test
    void aClaimThatMustNotQueueLeavesNoTrace() {
        Access a = new Access();
        Access b = new Access();
        Claim mine = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        granted(a.store.attempt(mine));
        Claim other = b.claim(mine.resource(), Claim.Queueing.NEVER);
        assertThat(b.store.attempt(other)).isInstanceOf(Answer.Wait.class);
        assertThat(a.store.inspect(mine.resource()).orElseThrow().waiting()).isZero();
        a.release(mine, false);
        assertThat(a.store.inspect(mine.resource())).isEmpty();
    }

    @Test
    void aFreeResourceGoesToTheFirstInTheQueue() {
        Access a = new Access();
        Access b = new Access();
        Access c = new Access();
        Claim mine = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        granted(a.store.attempt(mine));
        Claim first = b.claim(mine.resource(), Claim.Queueing.PLAIN);
        assertThat(b.store.attempt(first)).isInstanceOf(Answer.Wait.class);
        Claim second = c.claim(mine.resource(), Claim.Queueing.PLAIN);
        Answer.Wait wait = (Answer.Wait) c.store.attempt(second);
        assertThat(wait.askAgainIn()).isPositive();
        a.release(mine, false);
        if (keepsOrder()) {
            assertThat(c.store.attempt(second)).isInstanceOf(Answer.Wait.class);
            Claim third = a.claim(mine.resource(), Claim.Queueing.NEVER);
            assertThat(a.store.attempt(third)).isInstanceOf(Answer.Wait.class);
        }
        if (can(Capability.SIGNALS)) {
            eventually("the first is told", () -> b.keeper.signalled.contains(mine.resource()));
        }
        granted(b.store.attempt(first));
        b.release(first, false);
        granted(c.store.attempt(second));
        c.release(second, false);
        assertThat(a.store.inspect(mine.resource())).isEmpty();
    }

    @Test
    void withdrawingAClaimGivesUpItsPlace() {
        Access a = new Access();
        Access b = new Access();
        Claim mine = a.claim(lockNamed(freshName()), Claim.Queueing.NEVER);
        granted(a.store.attempt(mine));
        Claim waiting = b.claim(mine.resource(), Claim.Queueing.PLAIN);
        assertThat(b.store.attempt(waiting)).isInstanceOf(Answer.Wait.class);
        assertThat(b.release(waiting, false)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(a.store.inspect(mine.resource()).orElseThrow().waiting()).isZero();
        a.release(mine, false);
        Claim next = a.claim(mine.resource(), Claim.Queueing.NEVER);
        granted(a.store.attempt(next));
        a.release(next, false);
    }

    @Test
    void aBlockOfTokensBelongsToItsClaimAlone() {
        Access a = new Access();
        Resource lock = lockNamed(freshName());
        long last = 0;
        for (int wanted : List.of(1, 64, 1, 65, 1)) {
            Claim one = a.claim(lock, Claim.Queueing.NEVER);
            Claim block = new Claim(
                    one.id(), lock, one.mode(), LEASE, false, wanted, Claim.Queueing.NEVER, false, one.holder(), LIMIT);
            Answer.Granted grant = granted(a.store.attempt(block));
            assertThat(grant.token()).isGreaterThan(last);
            assertThat(grant.tokens()).isBetween(1, wanted);
            last = grant.token() + grant.tokens() - 1;
            a.release(block, false);
        }
    }

    @Test
    void everybodyReadsTheSameStoreId() {
        Access a = new Access();
        Access b = new Access();
        assertThat(a.store.storeId()).isNotEmpty().isEqualTo(b.store.storeId());
    }
}
