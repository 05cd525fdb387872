package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.LOCK;
import static io.lockkeeper.file.Claims.SEMAPHORE;
import static io.lockkeeper.file.Claims.acquire;
import static io.lockkeeper.file.Claims.claim;
import static io.lockkeeper.file.Claims.exclusive;
import static io.lockkeeper.file.Claims.exclusiveNow;
import static io.lockkeeper.file.Claims.granted;
import static io.lockkeeper.file.Claims.permits;
import static io.lockkeeper.file.Claims.refused;
import static io.lockkeeper.file.Claims.release;
import static io.lockkeeper.file.Claims.shared;
import static io.lockkeeper.file.Claims.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release.Outcome;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();
    private Store a;
    private Store b;

    @BeforeEach
    void open() {
        a = FileBackend.in(folder).open(new TestKeeper("A", clock, Claims.LIMIT));
        b = FileBackend.in(folder).open(new TestKeeper("B", clock, Claims.LIMIT));
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static void assertGone(Loss.Reason reason, Store store, Claim claim) {
        assertThat(store.renew(List.of(claim), Claims.LIMIT)).containsExactly(new Renewal.Gone(reason));
    }

    private static boolean kept(Store store, Claim claim) {
        return store.renew(List.of(claim), Claims.LIMIT).get(0) instanceof Renewal.Kept;
    }

    @Test
    void anExclusiveClaimExcludesAllOthersUntilItIsReleased() {
        Claim first = exclusive();
        granted(a, first);
        waits(a, exclusiveNow());
        waits(b, exclusiveNow());
        waits(b, shared());
        assertThat(a.release(release(first))).isEqualTo(Outcome.RELEASED);
        granted(b, exclusiveNow());
    }

    @Test
    void sharedClaimsHoldTogetherAndExcludeExclusiveOnes() {
        Claim one = shared();
        Claim other = shared();
        assertThat(granted(a, one)).isLessThan(granted(b, other));
        waits(b, exclusiveNow());
        a.release(release(one));
        waits(a, exclusiveNow());
        b.release(release(other));
        granted(a, exclusiveNow());
    }

    @Test
    void theSameClaimIsGrantedOnceWithTheSameTokens() {
        Claim claim = claim(LOCK, Mode.EXCLUSIVE, 7, Queueing.PLAIN);
        Answer first = a.attempt(claim);
        assertThat(first).isEqualTo(new Answer.Granted(((Answer.Granted) first).token(), 7, Answer.FOREVER));
        assertThat(a.attempt(claim)).isEqualTo(first);
        a.release(release(claim));
        assertThat(granted(a, exclusive())).isGreaterThanOrEqualTo(((Answer.Granted) first).token() + 7);
    }

    @Test
    void blocksOfTokensDoNotRunAheadOfTheClock() {
        for (int i = 0; i < 3; i++) {
            long now = clock.now().wall() / 1_000;
            Claim claim = claim(LOCK, Mode.EXCLUSIVE, 1_000, Queueing.PLAIN);
            Answer.Granted grant = (Answer.Granted) a.attempt(claim);
            assertThat(grant.token() + grant.tokens()).isLessThanOrEqualTo(now + 1_002);
            a.release(release(claim));
            clock.pass(Duration.ofNanos(100_000));
        }
    }

    @Test
    void aClaimOfAnotherKeeperCannotBeReleasedOrRenewed() {
        Claim held = exclusive();
        granted(a, held);
        assertThat(b.release(release(held))).isEqualTo(Outcome.NOT_HELD);
        assertGone(Loss.Reason.SESSION_ENDED, b, held);
        assertThat(kept(a, held)).isTrue();
    }

    @Test
    void aReleaseOfWhatIsNotHeldSaysSo() {
        Claim claim = exclusive();
        assertThat(a.release(release(claim))).isEqualTo(Outcome.NOT_HELD);
        granted(a, claim);
        assertThat(a.release(release(claim))).isEqualTo(Outcome.RELEASED);
        assertThat(a.release(release(claim))).isEqualTo(Outcome.NOT_HELD);
        assertGone(Loss.Reason.TAKEN, a, claim);
    }

    @Test
    void aReleaseThatOvertakesItsAttemptIsRemembered() {
        Claim late = exclusive();
        assertThat(a.release(release(late, true))).isEqualTo(Outcome.NOT_HELD);
        assertThat(a.attempt(late))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        granted(b, exclusiveNow());
    }

    @Test
    void tokensGoUpOverAllModesAndKeepers() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            Store store = i % 2 == 0 ? a : b;
            Claim claim = i % 3 == 0 ? shared() : exclusive();
            long token = granted(store, claim);
            assertThat(token).isGreaterThan(last);
            last = token;
            store.release(release(claim));
        }
    }

    @Test
    void narrowingLetsReadersInAndKeepsTheToken() {
        Claim held = exclusive();
        long token = granted(a, held);
        assertThat(StoreAbility.of(a, NarrowingStore.class).narrow(held, Mode.SHARED))
                .isTrue();
        assertThat(StoreAbility.of(a, NarrowingStore.class).narrow(held, Mode.SHARED))
                .isTrue();
        granted(b, shared());
        waits(b, exclusiveNow());
        assertThat(granted(a, held)).isEqualTo(token);
        assertThat(kept(a, held)).isTrue();
        assertThat(StoreAbility.of(a, NarrowingStore.class).narrow(exclusive(), Mode.SHARED))
                .isFalse();
    }

    @Test
    void permitsAreGivenAllOrNone() {
        Claim two = permits(2, 3);
        granted(a, two);
        waits(b, claim(SEMAPHORE, Mode.permits(2, 3), 1, Queueing.NEVER));
        granted(b, claim(SEMAPHORE, Mode.permits(1, 3), 1, Queueing.NEVER));
        assertThat(StoreAbility.of(a, NarrowingStore.class).narrow(two, Mode.permits(1, 3)))
                .isTrue();
        granted(b, permits(1, 3));
        waits(b, permits(1, 3));
    }

    @Test
    void aRepeatedPermitClaimIsNotCountedTwice() {
        Claim two = permits(2, 3);
        granted(a, two);
        granted(a, two);
        granted(b, permits(1, 3));
    }

    @Test
    void aSemaphoreOfAMillionPermitsIsNoWork() {
        granted(a, permits(999_999, 1_000_000));
        granted(b, permits(1, 1_000_000));
        waits(b, permits(1, 1_000_000));
    }

    @Test
    void anotherSizeIsRefusedWithBothNumbersUntilItIsResized() {
        Claim three = permits(3, 3);
        granted(a, three);
        assertThat(refused(b, permits(1, 5))).contains("3 permits").contains("not 5");
        StoreAbility.of(a, SemaphoreStore.class).resize(SEMAPHORE, 5);
        granted(b, permits(2, 5));
        StoreAbility.of(b, SemaphoreStore.class).resize(SEMAPHORE, 2);
        assertThat(kept(a, three)).isTrue();
        waits(b, permits(1, 2));
        assertThat(refused(b, permits(3, 2))).contains("2 permits").contains("3 at once");
        assertThatThrownBy(() -> StoreAbility.of(a, SemaphoreStore.class).resize(SEMAPHORE, 0))
                .hasMessageContaining("at least 1");
    }

    @Test
    void aFixedLeaseEndsByItself() {
        Claim fixed = fixed(Duration.ofMillis(200));
        Answer granted = a.attempt(fixed);
        assertThat(granted)
                .isInstanceOfSatisfying(
                        Answer.Granted.class,
                        grant -> assertThat(grant.validity()).isEqualTo(Duration.ofMillis(200)));
        assertThat(a.attempt(fixed)).as("it begins anew").isEqualTo(granted);
        assertThat(a.inspect(LOCK).orElseThrow().grants().get(0).remaining())
                .isBetween(Duration.ZERO, Duration.ofMillis(201));
        long token = acquire(b, exclusive());
        assertThat(token).isGreaterThan(((Answer.Granted) granted).token());
        assertThat(a.release(release(fixed))).isEqualTo(Outcome.NOT_HELD);
        assertGone(Loss.Reason.TAKEN, a, fixed);
        waits(a, exclusiveNow());
    }

    private static Claim fixed(Duration lease) {
        Claim like = exclusive();
        return like.withLease(lease).withFixed(true);
    }

    @Test
    void whoHoldsCanBeSeenAndNobodyElse() {
        assertThat(b.inspect(LOCK)).isEmpty();
        Claim held = exclusive();
        long token = granted(a, held);
        ResourceState state = b.inspect(LOCK).orElseThrow();
        assertThat(state.grants()).hasSize(1);
        assertThat(state.grants().get(0).holder()).isEqualTo(held.holder());
        assertThat(state.grants().get(0).token()).isEqualTo(token);
        assertThat(state.grants().get(0).shared()).isFalse();
        granted(a, permits(2, 3));
        assertThat(b.list("")).extracting(ResourceState::resource).containsExactly(LOCK, SEMAPHORE);
        assertThat(b.list("pri")).hasSize(1);
        assertThat(b.list("pri").get(0).permits()).isEqualTo(3);
        a.release(release(held));
        assertThat(a.inspect(LOCK)).isEmpty();
        assertThat(a.list("orders")).isEmpty();
    }

    @Test
    void closingAKeeperFreesWhatItHeldAndNothingElse() {
        Claim read = shared();
        granted(a, read);
        Claim other = exclusive(new Resource(LOCK.family(), "other"));
        granted(b, other);
        a.close();
        granted(b, exclusiveNow());
        assertThat(kept(b, other)).isTrue();
        assertThatThrownBy(() -> a.attempt(exclusive())).isInstanceOf(KeeperClosedException.class);
        assertThat(b.inspect(LOCK)).isPresent();
    }

    @Test
    void aWaiterThatHasWaitedIsNotPassedAnyMore() {
        Claim held = exclusive();
        granted(a, held);
        Claim waiter = exclusive();
        waits(b, waiter);
        assertThat(a.inspect(LOCK).orElseThrow().waiting())
                .as("nothing is written for the first refusal")
                .isZero();
        waits(b, waiter);
        assertThat(a.inspect(LOCK).orElseThrow().waiting()).isEqualTo(1);
        assertThat(a.renew(List.of(held), Claims.LIMIT)).containsExactly(new Renewal.Kept(Answer.FOREVER, true));
        a.release(release(held));
        Claim passing = exclusiveNow();
        granted(a, passing);
        a.release(release(passing));
        clock.pass(Duration.ofMillis(20));
        waits(a, exclusiveNow());
        granted(b, waiter);
        assertThat(b.inspect(LOCK).orElseThrow().waiting()).isZero();
    }

    @Test
    void aWaiterThatIsWithdrawnOrSilentIsNotWaitedFor() {
        Claim held = exclusive();
        granted(a, held);
        Claim withdrawn = exclusive();
        waits(b, withdrawn);
        waits(b, withdrawn);
        Claim silent = exclusive();
        waits(b, silent);
        waits(b, silent);
        clock.pass(Duration.ofSeconds(1));
        assertThat(b.release(release(withdrawn))).isEqualTo(Outcome.NOT_HELD);
        a.release(release(held));
        waits(a, exclusiveNow());
        clock.pass(Duration.ofMillis(2_001));
        granted(a, exclusiveNow());
    }

    @Test
    void aWaiterThatKeepsAskingKeepsItsPlace() {
        Claim held = exclusive();
        granted(a, held);
        Claim waiter = exclusive();
        for (int i = 0; i < 10; i++) {
            assertThat(waits(b, waiter)).isBetween(Duration.ofNanos(500_000), Duration.ofMillis(75));
            clock.pass(Duration.ofSeconds(1));
        }
        a.release(release(held));
        waits(a, exclusiveNow());
        granted(b, waiter);
    }

    @Test
    void aWriterIsNotStarvedByReaders() {
        Claim reader = shared();
        granted(a, reader);
        Claim writer = exclusive();
        waits(b, writer);
        waits(b, writer);
        clock.pass(Duration.ofMillis(20));
        waits(a, shared());
        a.release(release(reader));
        granted(b, writer);
    }

    @Test
    void aDeletedFileIsAGrantThatIsGone() throws IOException {
        Claim held = exclusive();
        long token = granted(a, held);
        Files.delete(folder.resolve("lock/n-orders%2f42"));
        clock.pass(Duration.ofMillis(1));
        assertGone(Loss.Reason.TAKEN, a, held);
        assertThat(granted(b, exclusive())).isGreaterThan(token);
        assertGone(Loss.Reason.TAKEN, a, held);
        assertThat(a.release(release(held))).isEqualTo(Outcome.NOT_HELD);
        waits(a, exclusiveNow());
    }

    @Test
    void aDeletedSessionEndsWhatWasHeldAndTheNextClaimBeginsAnother() throws IOException {
        Claim held = exclusive();
        granted(a, held);
        try (var sessions = Files.newDirectoryStream(folder.resolve("_sessions"))) {
            for (Path session : sessions) {
                Files.delete(session);
            }
        }
        assertGone(Loss.Reason.SESSION_ENDED, a, held);
        a.release(release(held));
        Claim next = exclusive();
        granted(a, next);
        assertThat(kept(a, next)).isTrue();
        waits(b, exclusiveNow());
    }

    @Test
    void theStoreIdIsTheSameForAll() {
        assertThat(a.storeId()).hasSize(32).isEqualTo(b.storeId());
    }

    @Test
    void aGrantOfALivingProcessCannotBeTakenAway() {
        assertThat(b.ability(ForceReleaseStore.class)).isNull();
    }

    @Test
    void nothingIsLeftOfASessionThatEnded() throws IOException {
        List<String> open = sessions();
        assertThat(open).hasSize(2).allMatch(FileStoreTest::isKnownInThisJvm);
        a.close();
        b.close();
        assertThat(sessions()).isEmpty();
        assertThat(open).noneMatch(FileStoreTest::isKnownInThisJvm);
    }

    private static boolean isKnownInThisJvm(String session) {
        return System.getProperty("io.lockkeeper.file.session:" + session) != null;
    }

    private List<String> sessions() throws IOException {
        try (var sessions = Files.list(folder.resolve("_sessions"))) {
            return sessions.map(path -> path.getFileName().toString()).toList();
        }
    }
}
