package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.LyingGateway.Said;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.contract.AboutTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of the store when requests arrive late or are refused, and when leases end, on a real server. */
@Timeout(120)
class StoreFaultTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final String prefix = "s" + id();
    private final Admin admin = new Admin(Servers.shared().port(), prefix);
    private final Layout layout = new Layout(prefix);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final TestKeeper a = new TestKeeper("a" + id());
    private final TestKeeper b = new TestKeeper("b" + id());
    private final TestKeeper brief = new TestKeeper("k" + id(), SHORT);
    private final Resource resource = Resource.lock("r");

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private EtcdStore open(TestKeeper keeper) {
        return open(keeper, Servers.shared().port());
    }

    private EtcdStore open(TestKeeper keeper, int port) {
        EtcdStore store = (EtcdStore)
                EtcdBackend.of("etcd://127.0.0.1:" + port + "/" + prefix).open(keeper);
        open.add(0, store::close);
        return store;
    }

    private LyingGateway liar() throws Exception {
        LyingGateway liar = LyingGateway.before(Servers.shared().address());
        open.add(liar);
        return liar;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        admin.close();
    }

    private Claim waiting(TestKeeper keeper) {
        return waiting(keeper, resource);
    }

    private static Claim waiting(TestKeeper keeper, Resource resource) {
        return Claim.of(id(), resource, Mode.EXCLUSIVE, LEASE, keeper.holder(), TIMEOUT)
                .withQueueing(Claim.Queueing.PLAIN);
    }

    private Claim fixed(TestKeeper keeper) {
        return waiting(keeper).withFixed(true).withLease(Duration.ofSeconds(5));
    }

    private static Release release(Claim claim) {
        return new Release(claim.resource(), claim.id(), claim.lease(), false, TIMEOUT);
    }

    private static Answer.Granted granted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    private static void assertWaits(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Wait.class);
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.FINAL));
    }

    private KeyValue key(Claim claim) {
        return admin.queue(claim.resource()).entries().stream()
                .map(Queue.Entry::key)
                .filter(key -> key.key().equals(layout.claim(claim.resource(), claim.id())))
                .findFirst()
                .orElseThrow();
    }

    private OwnClaim own(EtcdStore store, Claim claim) {
        OwnClaim own = store.access().own().get(layout.claim(claim.resource(), claim.id()));
        assertThat(own).isNotNull();
        return own;
    }

    private static Moment now() {
        return Clocks.system().now();
    }

    // ---- extensions and narrowings

    @Test
    void aShorterExtensionThatArrivesLastShortensNothing() {
        EtcdStore store = open(a);
        Claim fixed = fixed(a);
        granted(store.attempt(fixed));
        KeyValue seen = key(fixed);
        assertThat(store.extend(fixed.withLease(Duration.ofSeconds(60)), TIMEOUT))
                .isInstanceOf(Renewal.Kept.class);
        KeyValue longer = key(fixed);
        Claim shorter = fixed.withLease(Duration.ofSeconds(20));
        assertThat(new Extensions(store.access()).extend(shorter, own(store, fixed), seen, now(), Admin.soon()))
                .as("it lasts, longer than asked for")
                .isTrue();
        assertThat(key(fixed)).isEqualTo(longer);
        assertThat(admin.etcd.look(longer.lease(), false, Admin.soon()).seconds())
                .isGreaterThan(40);
    }

    @Test
    void anExtensionThatLostARaceAgainstAShorterOneStillLasts() {
        EtcdStore store = open(a);
        Claim fixed = fixed(a);
        granted(store.attempt(fixed));
        KeyValue seen = key(fixed);
        store.extend(fixed.withLease(Duration.ofSeconds(20)), TIMEOUT);
        Claim longer = fixed.withLease(Duration.ofSeconds(60));
        assertThat(new Extensions(store.access()).extend(longer, own(store, fixed), seen, now(), Admin.soon()))
                .isTrue();
        assertThat(admin.etcd.look(key(fixed).lease(), false, Admin.soon()).seconds())
                .isGreaterThan(40);
    }

    @Test
    void anExtensionOfAKeyThatIsGoneOrAnotherOneSaysSo() {
        EtcdStore store = open(a);
        Claim fixed = fixed(a);
        granted(store.attempt(fixed));
        KeyValue seen = key(fixed);
        OwnClaim own = own(store, fixed);
        Claim longer = fixed.withLease(Duration.ofSeconds(60));
        admin.delete(seen.key());
        assertThat(new Extensions(store.access()).extend(longer, own, seen, now(), Admin.soon()))
                .isFalse();
        Txn again = new Txn();
        again.then().put(seen.key(), seen.value(), 0);
        admin.etcd.run(again, Admin.soon());
        assertThat(new Extensions(store.access()).extend(longer, own, seen, now(), Admin.soon()))
                .isFalse();
        assertThat(store.extend(longer, TIMEOUT)).isInstanceOf(Renewal.Gone.class);
    }

    @Test
    void whatWasNarrowedStaysSo() {
        EtcdStore store = open(a);
        Claim three = waiting(a, Resource.semaphore("s"))
                .withMode(Mode.permits(3, 5))
                .withFixed(true)
                .withLease(Duration.ofSeconds(5));
        granted(store.attempt(three));
        assertThat(store.narrow(three, Mode.permits(1, 5))).isTrue();
        assertThat(store.narrow(three, Mode.permits(2, 5)))
                .as("sent before, and late")
                .isTrue();
        assertThat(ClaimData.read(key(three).value()).permits()).isEqualTo(1);
        assertThat(store.extend(three.withLease(Duration.ofSeconds(60)), TIMEOUT))
                .isInstanceOf(Renewal.Kept.class);
        assertThat(ClaimData.read(key(three).value()).permits()).isEqualTo(1);
        assertThat(own(store, three).data.permits()).isEqualTo(1);
    }

    // ---- leases that are over

    /** As between the moment at which a keeper gives a lease up and that at which etcd has revoked it. */
    @Test
    void aFixedClaimIsNotGrantedInALeaseThatItsKeeperGaveUp() {
        EtcdStore holder = open(b);
        EtcdStore store = open(a);
        Claim held = waiting(b);
        Claim fixed = fixed(a);
        granted(holder.attempt(held));
        assertWaits(store.attempt(fixed));
        KeyValue before = key(fixed);
        LiveLease lease = store.access().sessions().main(Admin.soon());
        assertThat(before.lease()).isEqualTo(lease.id);
        store.access().sessions().ended(lease);
        holder.release(release(held));
        long token = granted(store.attempt(fixed)).token();
        assertThat(key(fixed).lease()).isNotEqualTo(lease.id);
        assertThat(token >> EtcdPolicy.TOKEN_BITS).isGreaterThan(before.createRevision());
        admin.etcd.revoke(lease.id, Admin.soon());
        assertThat(store.renew(List.of(fixed), TIMEOUT)).hasOnlyElementsOfType(Renewal.Kept.class);
    }

    @Test
    void aLeaseThatWasRenewedOnceNeverCountsAsOneThatLasts() {
        EtcdStore store = open(a);
        granted(open(b).attempt(waiting(b)));
        Claim fixed = fixed(a);
        assertWaits(store.attempt(fixed));
        LiveLease lease = store.access().sessions().main(Admin.soon());
        OwnClaim own = own(store, fixed);
        store.access().sessions().ended(lease);
        assertThat(new Extensions(store.access()).extend(fixed, own, key(fixed), now(), Admin.soon()))
                .isTrue();
        assertThat(key(fixed).lease()).isNotEqualTo(lease.id);
    }

    @Test
    void aLeaseThatIsOpenedWhileTheStoreIsClosedIsEnded() throws Exception {
        LyingGateway liar = liar();
        EtcdStore store = open(a, liar.port());
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger revoked = new AtomicInteger();
        liar.rule = (path, body) -> {
            if (path.equals("/v3/lease/grant")) {
                asked.countDown();
                await(closed);
            } else if (path.equals("/v3/lease/revoke")) {
                revoked.incrementAndGet();
            }
            return null;
        };
        SessionLeases sessions = store.access().sessions();
        CompletableFuture<LiveLease> late =
                CompletableFuture.supplyAsync(() -> sessions.of(Duration.ofSeconds(77), Admin.soon()));
        await(asked);
        sessions.close();
        assertThat(revoked).as("the keeper's own").hasValue(1);
        closed.countDown();
        assertThatThrownBy(late::join).hasRootCauseInstanceOf(StoreUnavailableException.class);
        assertThat(revoked).as("the late one too").hasValue(2);
    }

    @Test
    void aWaitForALeaseOfAnotherThreadEndsAtItsOwnDeadline() throws Exception {
        LyingGateway liar = liar();
        EtcdStore store = open(a, liar.port());
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        liar.rule = (path, body) -> {
            if (path.equals("/v3/lease/grant")) {
                asked.countDown();
                await(enough);
            }
            return null;
        };
        TimedLeases timed = store.access().timed();
        CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> timed.lasting(LEASE, Admin.soon()));
        await(asked);
        assertThatThrownBy(() -> timed.lasting(LEASE, Deadline.in(Duration.ofMillis(50))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(first).as("the other one still waits").isNotDone();
        enough.countDown();
        assertThat(first.join()).isPositive();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- claims that their keeper dropped

    @Test
    void aQueuedClaimThatIsRefusedLeavesNoKeyBehind() throws Exception {
        LyingGateway liar = liar();
        EtcdStore store = open(brief, liar.port());
        Claim held = waiting(b);
        EtcdStore holder = open(b);
        granted(holder.attempt(held));
        Claim fixed = fixed(brief);
        assertWaits(store.attempt(fixed));
        holder.release(release(held));
        liar.rule = (path, body) -> path.equals("/v3/kv/txn") && body.contains("request_put") ? Said.DENIED : null;
        assertRefused(store.attempt(fixed));
        brief.known = false;
        assertThat(store.access().own().get(layout.claim(resource, fixed.id()))).isNull();
        until("its key is gone", () -> admin.queue(resource).entries().isEmpty());
    }

    @Test
    void aKeyOfAClaimThatItsKeeperDroppedIsDeletedWithTheNextContact() {
        EtcdStore store = open(brief);
        granted(store.attempt(waiting(brief).withLease(SHORT)));
        brief.known = false;
        until("its key is gone", () -> admin.queue(resource).entries().isEmpty());
    }

    @Test
    @AboutTime
    void aRenewalCountsThoughAKeyCannotBeDeleted() throws Exception {
        LyingGateway liar = liar();
        EtcdStore store = open(brief, liar.port());
        LiveLease lease = store.access().sessions().main(Admin.soon());
        AtomicInteger refused = new AtomicInteger();
        liar.rule = (path, body) -> {
            if (!body.contains("request_delete_range")) {
                return null;
            }
            refused.incrementAndGet();
            return Said.DENIED;
        };
        brief.known = false;
        Txn late = new Txn();
        late.then().put(layout.claim(resource, "stray"), "x", lease.id);
        admin.etcd.run(late, Admin.soon());
        until("it cannot be deleted", () -> refused.get() > 0);
        Moment before = lease.contactedAt;
        until("it was renewed again", () -> lease.contactedAt.mono() - before.mono() > 0);
        assertThat(lease.session.isOver(now())).isFalse();
        liar.rule = (path, body) -> null;
        until("its key is gone", () -> admin.queue(resource).entries().isEmpty());
    }

    @Test
    void claimsWhoseFixedLeaseEndedLongAgoAreForgotten() {
        EtcdStore store = open(a);
        Claim fixed = fixed(a);
        Claim renewed = waiting(a, Resource.lock("other"));
        granted(store.attempt(fixed));
        granted(store.attempt(renewed));
        OwnClaims own = store.access().own();
        long minute = Duration.ofMinutes(1).toNanos();
        Moment soon = new Moment(now().mono() + minute, now().wall() + minute);
        own.clean(soon, minute);
        assertThat(own.all()).hasSize(2);
        Moment later = new Moment(soon.mono() + minute, soon.wall() + minute);
        own.clean(later, minute);
        assertThat(own.all()).extracting(claim -> claim.claimId).containsExactly(renewed.id());
    }

    // ---- mail and reading

    @Test
    void anExchangeTellsItsOwnKeeperThatAnotherClaimOfItIsNext() {
        EtcdStore store = open(a);
        Claim held = waiting(a);
        Claim second = waiting(a);
        granted(store.attempt(held));
        assertWaits(store.attempt(second));
        a.signals.clear();
        Answer answer = store.exchange(release(held), waiting(a)).answer();
        assertThat(answer).isInstanceOf(Answer.Wait.class);
        until("it is told", () -> a.signals.contains(resource));
        granted(store.attempt(second));
    }

    @Test
    void aReadingOfAnInterruptedThreadDoesNotSpin() throws Exception {
        LyingGateway liar = liar();
        Access access = open(a, liar.port()).access();
        liar.close();
        CountingClocks clocks = new CountingClocks();
        a.clocks = clocks;
        Txn txn = new Txn();
        txn.then().get("a");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> access.read(txn, Deadline.in(Duration.ofMillis(500))))
                    .isInstanceOf(StoreUnavailableException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(clocks.pauses.get()).as("of 50 ms each").isBetween(1, 50);
    }

    /** The machine's clocks, on which the pauses of readings are counted. */
    private static final class CountingClocks implements Clocks {
        final AtomicInteger pauses = new AtomicInteger();

        @Override
        public Moment now() {
            return Clocks.system().now();
        }

        @Override
        public void park(Object blocker, long until) {
            if (blocker instanceof Access) {
                pauses.incrementAndGet();
            }
            Clocks.system().park(blocker, until);
        }
    }
}
