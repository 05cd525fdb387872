package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom a release wakes, and what the server is asked for because of it, with fifty that wait, each in a session of its own. */
@Timeout(180)
class WakeUpsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** So long that no contact falls into what is counted. */
    private static final Duration SESSION = Duration.ofMinutes(8);

    private static final int MANY = 50;
    private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");

    private final ZookeeperServer server = ZookeeperServer.start();
    private final ZookeeperBackend backend = ZookeeperBackend.at("zk://" + server.address() + "/shop");
    private final Resource lock = Resource.lock("a");
    private final List<Party> parties = new ArrayList<>();

    /** Somebody with a claim, in a session of its own. */
    private record Party(TestKeeper keeper, Store store, Claim claim) {

        Answer attempt() {
            return store.attempt(claim);
        }

        void release() {
            assertThat(store.release(new Release(claim.resource(), claim.id(), claim.lease(), false, TIMEOUT)))
                    .isEqualTo(Release.Outcome.RELEASED);
        }
    }

    @AfterEach
    void close() {
        parties.forEach(party -> party.store.close());
        backend.close();
        server.close();
    }

    private Party party(Mode mode) {
        String id = UUID.randomUUID().toString().replace("-", "");
        TestKeeper keeper = new TestKeeper(id, SESSION);
        Claim claim = Claim.of(id, lock, mode, SESSION, new HolderInfo("k", "h", 1, ""), TIMEOUT)
                .withQueueing(Claim.Queueing.FAIR);
        Party party = new Party(keeper, backend.open(keeper), claim);
        parties.add(party);
        return party;
    }

    private List<Party> waiting(Mode mode) {
        List<Party> waiting = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Party party = party(mode);
            assertThat(party.attempt()).isInstanceOf(Answer.Wait.class);
            waiting.add(party);
        }
        return waiting;
    }

    private static int told(List<Party> parties) {
        return parties.stream().mapToInt(party -> party.keeper.signals.size()).sum();
    }

    /** What clients have sent; the server counts this question, too. */
    private long requests() {
        Matcher found = RECEIVED.matcher(server.ask("srvr"));
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void aReleaseWakesOneOfFiftyWaiters() {
        Party holder = party(Mode.EXCLUSIVE);
        assertThat(holder.attempt()).isInstanceOf(Answer.Granted.class);
        List<Party> waiting = waiting(Mode.EXCLUSIVE);
        long before = requests();

        holder.release();
        until("the first is told", () -> told(waiting.subList(0, 1)) == 1);
        assertThat(waiting.get(0).attempt()).isInstanceOf(Answer.Granted.class);

        long asked = requests() - before - 1;
        assertThat(told(waiting)).isEqualTo(1);
        // A deletion, and what the one that was woken reads.
        assertThat(asked).isBetween(2L, 4L);
    }

    // Curator's readers all watch the first writer: 103 requests for a release that lets no reader in.
    @Test
    void fiftyReadersBehindTwoWritersAreWokenByTheSecondOnly() {
        Party first = party(Mode.EXCLUSIVE);
        assertThat(first.attempt()).isInstanceOf(Answer.Granted.class);
        Party second = party(Mode.EXCLUSIVE);
        assertThat(second.attempt()).isInstanceOf(Answer.Wait.class);
        List<Party> readers = waiting(Mode.SHARED);
        long before = requests();

        first.release();
        until("the second writer is told", () -> told(List.of(second)) == 1);
        assertThat(second.attempt()).isInstanceOf(Answer.Granted.class);

        long asked = requests() - before - 1;
        assertThat(told(readers)).isZero();
        assertThat(asked).isBetween(2L, 4L);
        second.release();
        until("all readers are told", () -> told(readers) == MANY);
        readers.forEach(reader -> assertThat(reader.attempt()).isInstanceOf(Answer.Granted.class));
    }
}
