package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store does to its nodes, asked without an engine. */
@Timeout(120)
class StoreTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");
    private final Layout layout = new Layout(root);
    private final ZookeeperBackend backend =
            ZookeeperBackend.at("zk://" + Servers.shared().address() + root);
    private final Observer observer = Observer.at(Servers.shared().address());
    private final List<Store> stores = new ArrayList<>();
    private final Resource lock = Resource.lock("a");

    @AfterEach
    void close() {
        stores.forEach(Store::close);
        observer.close();
    }

    private Store open(TestKeeper keeper) {
        Store store = backend.open(keeper);
        stores.add(store);
        return store;
    }

    private static String random() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static Claim claim(Resource resource, Mode mode, Claim.Queueing queueing) {
        return Claim.of(random(), resource, mode, Duration.ofSeconds(30), new HolderInfo("k", "h", 1, ""), TIMEOUT)
                .withQueueing(queueing);
    }

    private static Release release(Claim claim) {
        return new Release(claim.resource(), claim.id(), claim.lease(), false, TIMEOUT);
    }

    private Stat folder() throws Exception {
        return observer.client().exists(layout.queue(lock), false);
    }

    private List<String> nodes() {
        return observer.names(layout.queue(lock));
    }

    @Test
    void anAttemptThatMustNotQueueWritesNothingIfItFails() throws Exception {
        Store holder = open(new TestKeeper(random()));
        Store other = open(new TestKeeper(random()));
        assertThat(holder.attempt(claim(lock, Mode.EXCLUSIVE, Claim.Queueing.NEVER)))
                .isInstanceOf(Answer.Granted.class);
        int before = folder().getCversion();
        for (int i = 0; i < 10; i++) {
            assertThat(other.attempt(claim(lock, Mode.EXCLUSIVE, Claim.Queueing.NEVER)))
                    .isInstanceOf(Answer.Wait.class);
            assertThat(other.attempt(claim(lock, Mode.SHARED, Claim.Queueing.NEVER)))
                    .isInstanceOf(Answer.Wait.class);
        }
        assertThat(folder().getCversion()).isEqualTo(before);
    }

    @Test
    void oneReleaseWakesOneWaiterWhateverTheLengthOfTheQueue() {
        Store holder = open(new TestKeeper(random()));
        Claim held = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        assertThat(holder.attempt(held)).isInstanceOf(Answer.Granted.class);
        List<TestKeeper> waiters = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiters.add(new TestKeeper(random()));
            claims.add(claim(lock, Mode.EXCLUSIVE, Claim.Queueing.FAIR));
            assertThat(open(waiters.get(i)).attempt(claims.get(i))).isInstanceOf(Answer.Wait.class);
        }
        assertThat(holder.release(release(held))).isEqualTo(Release.Outcome.RELEASED);
        until("the first is told", () -> waiters.get(0).signals.contains(lock));
        assertThat(stores.get(1).attempt(claims.get(0))).isInstanceOf(Answer.Granted.class);
        assertThat(stores.get(5).attempt(claims.get(4))).isInstanceOf(Answer.Wait.class);
        assertThat(waiters.stream().mapToInt(waiter -> waiter.signals.size()).sum())
                .isEqualTo(1);
    }

    // Curator's readers all watch the first writer: 103 requests for a release that lets no reader in.
    @Test
    void readersBehindTwoWritersAreNotWokenByTheFirst() {
        Store first = open(new TestKeeper(random()));
        Claim writing = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        assertThat(first.attempt(writing)).isInstanceOf(Answer.Granted.class);
        TestKeeper writer = new TestKeeper(random());
        Store second = open(writer);
        Claim next = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        assertThat(second.attempt(next)).isInstanceOf(Answer.Wait.class);
        TestKeeper reader = new TestKeeper(random());
        Store readers = open(reader);
        List<Claim> reading = IntStream.range(0, 20)
                .mapToObj(i -> claim(lock, Mode.SHARED, Claim.Queueing.FAIR))
                .toList();
        reading.forEach(claim -> assertThat(readers.attempt(claim)).isInstanceOf(Answer.Wait.class));
        first.release(release(writing));
        until("the writer is told", () -> writer.signals.contains(lock));
        assertThat(second.attempt(next)).isInstanceOf(Answer.Granted.class);
        assertThat(readers.attempt(reading.get(0))).isInstanceOf(Answer.Wait.class);
        assertThat(reader.signals).isEmpty();
        second.release(release(next));
        until("the readers are told", () -> !reader.signals.isEmpty());
        reading.forEach(claim -> assertThat(readers.attempt(claim)).isInstanceOf(Answer.Granted.class));
    }

    @Test
    void aNodeOfAnotherSessionIsNeverAdopted() throws Exception {
        Store store = open(new TestKeeper(random()));
        Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        Claim before = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        store.attempt(before);
        store.release(release(before));
        String left = observer.client()
                .create(
                        layout.queue(lock) + "/x-" + claim.id() + "-",
                        "".getBytes(StandardCharsets.US_ASCII),
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL_SEQUENTIAL);
        assertThat(store.attempt(claim.withRepeat(true))).isInstanceOf(Answer.Granted.class);
        assertThat(nodes()).hasSize(1).doesNotContain(Layout.name(left));
    }

    @Test
    void aNodeOfNoKnownClaimIsDeletedWithTheNextContactThoughNothingIsHeld() {
        TestKeeper keeper = new TestKeeper(random(), Duration.ofSeconds(2));
        Store store = open(keeper);
        Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
        LiveSession session = ((ZookeeperStore) store).session();
        session.remove(session.owned().get(claim.id()));
        keeper.known = false;
        until("it is deleted", () -> nodes().isEmpty());
    }

    @Test
    void aNarrowingThatWasRenamedBehindItsBackIsReleasedAllTheSame() throws Exception {
        Store store = open(new TestKeeper(random()));
        Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        store.attempt(claim);
        ZookeeperStore own = (ZookeeperStore) store;
        assertThat(own.narrow(claim, Mode.SHARED)).isTrue();
        OwnNode node = own.session().owned().get(claim.id());
        node.name = node.name.in(Mode.EXCLUSIVE);
        assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.RELEASED);
        assertThat(nodes()).isEmpty();
        assertThat(own.narrow(claim, Mode.SHARED)).isFalse();
    }

    @Test
    void aGrantedPermitWakesTheClaimBehindItThoughItsNodeStays() {
        Resource seats = Resource.semaphore("seats");
        Store holder = open(new TestKeeper(random()));
        Claim both = claim(seats, Mode.permits(2, 2), Claim.Queueing.PLAIN);
        assertThat(holder.attempt(both)).isInstanceOf(Answer.Granted.class);
        TestKeeper second = new TestKeeper(random());
        Store next = open(second);
        Claim one = claim(seats, Mode.permits(1, 2), Claim.Queueing.FAIR);
        assertThat(next.attempt(one)).isInstanceOf(Answer.Wait.class);
        TestKeeper third = new TestKeeper(random());
        Store last = open(third);
        Claim other = claim(seats, Mode.permits(1, 2), Claim.Queueing.FAIR);
        assertThat(last.attempt(other)).isInstanceOf(Answer.Wait.class);
        holder.release(release(both));
        until("the first is told", () -> second.signals.contains(seats));
        assertThat(third.signals).isEmpty();
        assertThat(next.attempt(one)).isInstanceOf(Answer.Granted.class);
        until("the one behind it is told", () -> third.signals.contains(seats));
        assertThat(last.attempt(other)).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void aFixedLeaseThatTheKeeperDoesNotEndIsEndedByTheStore() {
        Store store = open(new TestKeeper(random(), Duration.ofSeconds(2)));
        Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN)
                .withLease(Duration.ofMillis(500))
                .withFixed(true);
        assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
        until("its node is deleted", () -> nodes().isEmpty());
        assertThat(store.renew(List.of(claim), TIMEOUT)).singleElement().isInstanceOf(Renewal.Gone.class);
    }

    // The fault suite found a claim with two nodes, which held by the place of one and with the token of the other.
    @Test
    void claimsThatAreTheFirstOfTheirFolderAtOnceHaveOneNodeEach() {
        List<Store> racing = List.of(open(new TestKeeper(random())), open(new TestKeeper(random())));
        for (int round = 0; round < 300; round++) {
            Resource fresh = Resource.lock("fresh/" + round);
            List<CompletableFuture<Answer>> answers = racing.stream()
                    .map(store -> CompletableFuture.supplyAsync(
                            () -> store.attempt(claim(fresh, Mode.EXCLUSIVE, Claim.Queueing.PLAIN))))
                    .toList();
            answers.forEach(CompletableFuture::join);
            assertThat(observer.names(layout.queue(fresh))).hasSize(2);
        }
    }

    @Test
    void aSecondNodeOfAClaimIsDeletedWithTheNextContact() {
        Store store = open(new TestKeeper(random(), Duration.ofSeconds(2)));
        Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
        assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
        LiveSession session = ((ZookeeperStore) store).session();
        OwnNode node = session.owned().get(claim.id());
        String text = Wire.answer(session.wire.read(node.path(), null), Deadline.in(TIMEOUT))
                .text();
        Wire.answer(
                session.wire.create(
                        node.folder + "/" + NodeName.prefix(Mode.EXCLUSIVE, false, claim.id(), ""),
                        text,
                        CreateMode.EPHEMERAL_SEQUENTIAL),
                Deadline.in(TIMEOUT));
        until("the second one is deleted", () -> nodes().equals(List.of(node.name.toString())));
    }

    @Test
    void aFolderThatTheServerRemovesIsMadeAgain() {
        Store store = open(new TestKeeper(random()));
        for (int i = 0; i < 2; i++) {
            Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN);
            assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
            store.release(release(claim));
            until(
                    "the folder is removed",
                    () -> observer.names(Layout.parent(layout.queue(lock))).isEmpty());
        }
    }

    @Test
    void tokensGrowWhenTheFolderAndItsCounterAreGone() {
        Store store = open(new TestKeeper(random()));
        long last = 0;
        for (int i = 0; i < 3; i++) {
            Claim claim = claim(lock, Mode.EXCLUSIVE, Claim.Queueing.PLAIN).withTokens(5_000);
            Answer.Granted granted = (Answer.Granted) store.attempt(claim);
            assertThat(granted.token()).isGreaterThan(last);
            assertThat(granted.tokens()).isEqualTo(1_024);
            last = granted.token() + granted.tokens() - 1;
            store.release(release(claim));
            observer.delete(layout.queue(lock));
        }
    }

    @Test
    @Tag("full")
    @Timeout(500)
    void fiftyThousandHeldInOneSessionAreAllKept() throws Exception {
        TestKeeper keeper = new TestKeeper(random(), Duration.ofSeconds(12));
        Store store = open(keeper);
        List<Claim> claims = IntStream.range(0, 50_000)
                .mapToObj(i ->
                        claim(new Resource(Family.LOCK, "orders/2026/11/" + i), Mode.EXCLUSIVE, Claim.Queueing.PLAIN))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<CompletableFuture<Answer>> answers = claims.stream()
                    .map(claim -> CompletableFuture.supplyAsync(() -> store.attempt(claim), threads))
                    .toList();
            answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Answer.Granted.class));
        } finally {
            threads.shutdown();
        }
        for (int i = 0; i < 5; i++) {
            assertThat(store.renew(claims, Duration.ofSeconds(30)))
                    .hasSize(claims.size())
                    .allMatch(renewal -> renewal instanceof Renewal.Kept);
            int round = i;
            LiveSession session = ((ZookeeperStore) store).session();
            var last = session.lookedAt;
            until("another look " + round, () -> session.lookedAt != last);
        }
        assertThat(keeper.signalledAll).hasValue(0);
        assertThat(keeper.signals).isEmpty();
    }
}
