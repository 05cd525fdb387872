package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Session;
import io.lockkeeper.testkit.contract.AboutTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of the store, one by one, on a real server. */
@Timeout(120)
class StoreTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final String prefix = "s" + id();
    private final Admin admin = new Admin(Servers.shared().port(), prefix);
    private final Layout layout = new Layout(prefix);
    private final List<EtcdStore> stores = new ArrayList<>();
    private final TestKeeper a = new TestKeeper("a" + id());
    private final TestKeeper b = new TestKeeper("b" + id());
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
        stores.add(store);
        return store;
    }

    @AfterEach
    void close() {
        stores.forEach(EtcdStore::close);
        admin.close();
    }

    private Claim claim(TestKeeper keeper) {
        return Claim.of(id(), resource, Mode.EXCLUSIVE, LEASE, keeper.holder(), TIMEOUT);
    }

    private Claim waiting(TestKeeper keeper) {
        return claim(keeper).withQueueing(Claim.Queueing.PLAIN);
    }

    private static Release release(Claim claim, boolean unanswered) {
        return new Release(claim.resource(), claim.id(), claim.lease(), unanswered, TIMEOUT);
    }

    private static Answer.Granted granted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    // ---- what must hold

    /** A lock that is answered because nobody is before the waiter, though the waiter itself is not there any more, is nobody's. */
    @Test
    void aWaiterWhoseLeaseDiedGetsNoLockThatItsKeyDoesNotHave() {
        EtcdStore holder = open(a);
        EtcdStore waiter = open(b);
        Claim held = waiting(a);
        Claim next = waiting(b);
        granted(holder.attempt(held));
        assertThat(waiter.attempt(next)).isInstanceOf(Answer.Wait.class);
        long dead = admin.leaseOf(b.id());
        admin.etcd.revoke(dead, Admin.soon());
        holder.release(release(held, false));
        assertThat(admin.queue(resource).entries())
                .as("its place went with its lease")
                .isEmpty();
        Answer.Granted grant = granted(waiter.attempt(next));
        Queue.Entry first = admin.queue(resource).first();
        assertThat(first).isNotNull();
        assertThat(first.createdAt() << EtcdPolicy.TOKEN_BITS).isEqualTo(grant.token());
        assertThat(first.key().lease()).isNotEqualTo(dead).isEqualTo(admin.leaseOf(b.id()));
        Session session = grant.session();
        assertThat(session).isNotNull();
        assertThat(session.isOver(Clocks.system().now())).isFalse();
    }

    @Test
    void aWaiterWhoseLeaseDiedGetsNothingWhileAnotherHolds() {
        EtcdStore holder = open(a);
        EtcdStore waiter = open(b);
        Claim next = waiting(b);
        granted(holder.attempt(waiting(a)));
        waiter.attempt(next);
        admin.etcd.revoke(admin.leaseOf(b.id()), Admin.soon());
        for (int i = 0; i < 5; i++) {
            assertThat(waiter.attempt(next)).isInstanceOf(Answer.Wait.class);
        }
        assertThat(admin.queue(resource).entries()).hasSize(2);
    }

    @Test
    void twoClaimsOnOneLeaseDoNotHoldTogether() {
        EtcdStore store = open(a);
        Claim first = waiting(a);
        Claim second = waiting(a);
        granted(store.attempt(first));
        assertThat(store.attempt(second)).isInstanceOf(Answer.Wait.class);
        List<Queue.Entry> both = admin.queue(resource).entries();
        assertThat(both).extracting(entry -> entry.key().lease()).containsOnly(admin.leaseOf(a.id()));
        store.release(release(first, false));
        granted(store.attempt(second));
    }

    @Test
    void aClaimThatIsSentAgainTakesOnePlaceAndHasOneToken() {
        EtcdStore store = open(a);
        Claim claim = waiting(a);
        long token = granted(store.attempt(claim)).token();
        for (int i = 0; i < 3; i++) {
            assertThat(granted(store.attempt(claim.withRepeat(true))).token()).isEqualTo(token);
        }
        // As after a lost reply: the store knows nothing of its key.
        OwnClaim own = store.access().own().get(layout.claim(resource, claim.id()));
        assertThat(own).isNotNull();
        store.access().own().remove(own);
        assertThat(granted(store.attempt(claim.withRepeat(true))).token()).isEqualTo(token);
        assertThat(admin.queue(resource).entries()).hasSize(1);
    }

    @Test
    void aRequestThatComesAfterItsClaimWasEndedMakesNothing() {
        EtcdStore store = open(a);
        for (Claim late : List.of(
                claim(a),
                waiting(a),
                claim(a).withFixed(true),
                waiting(a).withFixed(true).withMode(Mode.SHARED))) {
            store.release(release(late, true));
            assertThat(store.attempt(late))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
            assertThat(admin.queue(resource).entries()).isEmpty();
        }
        assertThat(admin.keys(prefix + "/dead/"))
                .hasSize(4)
                .allSatisfy(tombstone -> assertThat(admin.etcd
                                .look(tombstone.lease(), false, Admin.soon())
                                .seconds())
                        .isGreaterThanOrEqualTo(55));
    }

    /** As servers before 3.5.23 and 3.6.5 may do; only a look at the lease finds it out. */
    @Test
    @AboutTime
    void aKeepAliveThatLiesIsFoundOut() throws Exception {
        try (LyingGateway liar = LyingGateway.before(Servers.shared().address())) {
            TestKeeper brief = new TestKeeper("k" + id(), SHORT);
            EtcdStore store = open(brief, liar.port());
            Claim claim = waiting(brief).withLease(SHORT);
            Session session = granted(store.attempt(claim)).session();
            assertThat(session).isNotNull();
            liar.lie();
            admin.etcd.revoke(admin.leaseOf(brief.id()), Admin.soon());
            until("it is found out", () -> session.isEnded());
            assertThat(liar.lies.get()).isPositive();
            until("its keeper is told", () -> brief.signalledAll.get() > 0);
            assertThat(store.renew(List.of(claim), TIMEOUT))
                    .containsExactly(new Renewal.Gone(Loss.Reason.SESSION_ENDED));
        }
    }

    @Test
    void aKeyOfNoKnownClaimIsDeletedWithTheNextContactThoughNothingIsHeld() {
        TestKeeper brief = new TestKeeper("k" + id(), SHORT);
        open(brief);
        brief.known = false;
        Txn late = new Txn();
        late.then().put(layout.claim(resource, "stray"), "x", admin.leaseOf(brief.id()));
        admin.etcd.run(late, Admin.soon());
        until("it is gone", () -> admin.queue(resource).entries().isEmpty());
    }

    @Test
    void aKeyOfALeaseThatIsOverIsNeverAdopted() {
        EtcdStore store = open(a);
        Claim claim = waiting(a);
        long other = admin.etcd.grant(60, Admin.soon()).id();
        Txn old = new Txn();
        old.then()
                .put(
                        layout.claim(resource, claim.id()),
                        ClaimData.of(a.id(), claim).text(),
                        other);
        long before = admin.etcd.run(old, Admin.soon()).revision();
        Answer.Granted grant = granted(store.attempt(claim.withRepeat(true)));
        assertThat(grant.token() >> EtcdPolicy.TOKEN_BITS).isGreaterThan(before);
        Queue.Entry first = admin.queue(resource).first();
        assertThat(first).isNotNull();
        assertThat(first.key().lease()).isEqualTo(admin.leaseOf(a.id()));
    }

    // ---- leases

    @Test
    void eachLengthOfLeaseHasOneLease() {
        EtcdStore store = open(a);
        Set<Long> leases = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Resource each = Resource.lock("l" + i);
            granted(store.attempt(
                    Claim.of(id(), each, Mode.EXCLUSIVE, Duration.ofSeconds(20 + i % 2), a.holder(), TIMEOUT)));
            admin.queue(each).entries().forEach(entry -> leases.add(entry.key().lease()));
        }
        assertThat(leases).hasSize(2);
    }

    @Test
    void fixedLeasesShareLeasesThatNobodyRenews() {
        EtcdStore store = open(a);
        Set<Long> leases = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Resource each = Resource.lock("f" + i);
            Duration fixed = Duration.ofMillis(30_000 + 10 * i);
            granted(store.attempt(Claim.of(id(), each, Mode.EXCLUSIVE, fixed, a.holder(), TIMEOUT)
                    .withFixed(true)));
            admin.queue(each).entries().forEach(entry -> leases.add(entry.key().lease()));
        }
        assertThat(leases).hasSizeLessThan(8).doesNotContain(admin.leaseOf(a.id()));
    }

    @Test
    @AboutTime
    void aFixedLeaseEndsThoughItsKeeperNeverReleasesIt() {
        EtcdStore store = open(a);
        Claim fixed = claim(a).withFixed(true).withLease(Duration.ofSeconds(1));
        Answer.Granted grant = granted(store.attempt(fixed));
        assertThat(grant.session()).isNull();
        until("etcd has ended it", () -> admin.queue(resource).entries().isEmpty());
        assertThat(granted(open(b).attempt(claim(b))).token()).isGreaterThan(grant.token());
    }

    @Test
    void aFixedClaimThatQueuedLastsByALeaseOfItsOwnOnceItHolds() {
        EtcdStore store = open(a);
        EtcdStore other = open(b);
        Claim held = claim(b);
        Claim fixed = waiting(a).withFixed(true);
        granted(other.attempt(held));
        assertThat(store.attempt(fixed)).isInstanceOf(Answer.Wait.class);
        assertThat(admin.queue(resource).entries().get(1).key().lease()).isEqualTo(admin.leaseOf(a.id()));
        other.release(release(held, false));
        Answer.Granted grant = granted(store.attempt(fixed));
        Queue.Entry first = admin.queue(resource).first();
        assertThat(first).isNotNull();
        assertThat(first.key().lease()).isNotEqualTo(admin.leaseOf(a.id()));
        assertThat(first.createdAt() << EtcdPolicy.TOKEN_BITS)
                .as("its token stays")
                .isEqualTo(grant.token());
        admin.etcd.revoke(admin.leaseOf(a.id()), Admin.soon());
        assertThat(store.renew(List.of(fixed), TIMEOUT)).hasOnlyElementsOfType(Renewal.Kept.class);
    }

    // ---- mail

    @Test
    void aReleaseTellsTheNextKeeperAndNoOther() {
        EtcdStore store = open(a);
        TestKeeper c = new TestKeeper("c" + id());
        Claim held = waiting(a);
        granted(store.attempt(held));
        assertThat(open(b).attempt(waiting(b))).isInstanceOf(Answer.Wait.class);
        assertThat(open(c).attempt(waiting(c))).isInstanceOf(Answer.Wait.class);
        store.release(release(held, false));
        until("it is told", () -> b.signals.contains(resource));
        assertThat(c.signals).isEmpty();
    }

    @Test
    void aWriterThatLeavesTellsAllReadersBehindIt() {
        EtcdStore store = open(a);
        Claim held = waiting(a);
        granted(store.attempt(held));
        List<TestKeeper> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TestKeeper reader = new TestKeeper("r" + i + id());
            readers.add(reader);
            open(reader).attempt(waiting(reader).withMode(Mode.SHARED));
        }
        store.release(release(held, false));
        readers.forEach(reader -> until("it is told", () -> reader.signals.contains(resource)));
    }

    @Test
    void aKeyOfAnotherClientExcludesOursAndIsExcluded() {
        EtcdStore store = open(a);
        Txn foreign = new Txn();
        foreign.then().put(layout.queue(resource) + "694d8a1b2c3d4e5f", "", 0);
        admin.etcd.run(foreign, Admin.soon());
        assertThat(store.attempt(claim(a))).isInstanceOf(Answer.Wait.class);
        assertThat(store.attempt(claim(a).withMode(Mode.SHARED))).isInstanceOf(Answer.Wait.class);
        assertThat(store.inspect(resource).orElseThrow().grants())
                .singleElement()
                .satisfies(grant -> assertThat(grant.holder()).isEqualTo(new HolderInfo("", "", 0, "")));
        admin.delete(layout.queue(resource) + "694d8a1b2c3d4e5f");
        granted(store.attempt(claim(a)));
    }
}
