package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Keys and values, and which claims of a queue hold. */
class LayoutTest {

    private final Layout layout = new Layout("p");

    private static KeyValue key(long created, String mode) {
        HolderInfo holder = new HolderInfo("k", "h", 1, "");
        Mode how = mode.startsWith("p")
                ? Mode.permits(Integer.parseInt(mode.substring(1)), 0)
                : mode.equals("s") ? Mode.SHARED : Mode.EXCLUSIVE;
        Claim claim =
                Claim.of("c" + created, Resource.lock("a"), how, Duration.ofSeconds(1), holder, Duration.ofSeconds(1));
        return new KeyValue("p/q/lock/a/c" + created, ClaimData.of("k", claim).text(), created, created, 1);
    }

    private static List<Long> holders(int size, String... modes) {
        List<KeyValue> keys = new ArrayList<>();
        for (int i = 0; i < modes.length; i++) {
            keys.add(0, key(i + 1, modes[i]));
        }
        return Queue.of(keys).holders(size).stream().map(Queue.Entry::createdAt).toList();
    }

    @Test
    void everyNameHasAKeyOfItsOwnAndComesBack() {
        Set<String> keys = new HashSet<>();
        for (String name : List.of("a", "A", "a/b", "a%2Fb", "a b", "ä", "..", "%", "\0", "日本", "a/", "/a")) {
            Resource resource = Resource.lock(name);
            String key = layout.claim(resource, "x/y");
            assertThat(keys.add(key)).as(name).isTrue();
            assertThat(layout.resourceOf(key)).isEqualTo(resource);
            assertThat(Layout.claimId(key)).isEqualTo("x/y");
            assertThat(key.chars().filter(each -> each == '/').count()).isEqualTo(4);
        }
        assertThat(layout.resourceOf("p/q/lock/%zz/x")).isNull();
        assertThat(layout.resourceOf("p/q/lock/%2/x")).isNull();
        assertThat(layout.resourceOf("p/q/LOCK/a/x")).isNull();
        assertThat(layout.resourceOf("p/mail/k")).isNull();
        assertThat(layout.resourceOf(layout.claim(new Resource(Family.segment(3), "s"), "c")))
                .isEqualTo(new Resource(Family.segment(3), "s"));
    }

    @Test
    void theFirstExclusiveClaimHoldsOrAllSharedOnesBeforeIt() {
        assertThat(holders(0, "x", "x", "s")).containsExactly(1L);
        assertThat(holders(0, "s", "s", "x", "s")).containsExactly(1L, 2L);
        assertThat(holders(0)).isEmpty();
    }

    @Test
    void permitsHoldWhileTheirSumFits() {
        assertThat(holders(3, "p1", "p2", "p1")).containsExactly(1L, 2L);
        assertThat(holders(3, "p2", "p2", "p1")).as("nobody is passed over").containsExactly(1L);
        assertThat(holders(1, "p2", "p1")).as("granted when there were more").containsExactly(1L);
    }

    @Test
    void theKeyOfAnotherClientIsExclusive() {
        for (String foreign : List.of("", "p0 k 1 fixed h 1 t ", "hello", "x", "p9999999999999 a b c d e f g")) {
            ClaimData data = ClaimData.read(foreign);
            assertThat(data.kind()).as(foreign).isEqualTo('x');
            assertThat(data.keeper()).isEmpty();
        }
    }

    @Test
    void leasesOfAboutOneLengthAreShared() {
        Set<Long> lengths = new HashSet<>();
        for (int millis = 100; millis <= 600_000; millis += 100) {
            Duration time = Duration.ofMillis(millis);
            long seconds = TimedLeases.seconds(time);
            assertThat(seconds * 1000).isGreaterThanOrEqualTo(millis);
            assertThat(seconds * 1000).isLessThanOrEqualTo(millis + millis / 4 + 3000);
            lengths.add(seconds);
        }
        assertThat(lengths).hasSizeLessThan(80);
    }
}
