package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of nodes, the order of a queue, and URLs. */
class LayoutTest {

    private final Layout layout = new Layout("/root");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                ".",
                "..",
                "/",
                "../../zookeeper/quota",
                "%2F",
                "a b",
                "a-b",
                "lock.a",
                "ünï/çödé",
                "\u0000",
                "\ufff0",
                "😀",
                "{x}",
                "zookeeper"
            })
    void aNameHasAPathOfItsOwnInItsFolderAndIsReadBack(String name) {
        for (Family family : List.of(Family.LOCK, Family.SEMAPHORE, Family.segment(12))) {
            Resource resource = new Resource(family, name);
            String path = layout.queue(resource);
            PathUtils.validatePath(path);
            assertThat(path).matches("/root/queues/[0-9a-f]{3}/[a-z0-9.]+\\.[A-Za-z0-9_%-]+");
            assertThat(Layout.resource(Layout.name(path))).isEqualTo(resource);
            assertThat(layout.resourceOf(path + "/x-1-0000000000")).isEqualTo(resource);
        }
    }

    @Test
    void namesOfNodesAreReadBackAndOthersAreNoneOfOurs() {
        for (String text : List.of("x-ab12-0000000007", "X-ab12-0000000007", "s-c-2147483647", "p17-c--2147483648")) {
            assertThat(NodeName.parse(text)).hasToString(text);
        }
        for (String text :
                List.of("", "x", "x-", "-a-1", "y-a-1", "xx-a-1", "p-a-1", "x-a-", "x-a-b", "lock-0000000001")) {
            assertThat(NodeName.parse(text)).as(text).isNull();
        }
    }

    @Test
    void theOrderOutlastsTheEndOfTheServersCounter() {
        Queue queue = Queue.of(List.of("x-c--2147483647", "x-a-2147483647", "x-b--2147483648"));
        assertThat(queue.names()).extracting(NodeName::claimId).containsExactly("a", "b", "c");
        NodeName last = queue.names().get(2);
        assertThat(queue.verdict(last, 0))
                .isEqualTo(new Queue.Verdict(false, queue.names().get(1)));
    }

    @Test
    void aReaderWaitsForTheLastWriterBeforeItAndAWriterForTheOneBefore() {
        Queue queue = Queue.of(
                List.of("s-a-0000000001", "x-b-0000000002", "s-c-0000000003", "x-d-0000000004", "s-e-0000000005"));
        assertThat(queue.verdict(queue.names().get(0), 0)).isEqualTo(new Queue.Verdict(true, null));
        assertThat(behind(queue, 1)).isEqualTo("a");
        assertThat(behind(queue, 2)).isEqualTo("b");
        assertThat(behind(queue, 3)).isEqualTo("c");
        assertThat(behind(queue, 4)).isEqualTo("d");
        assertThat(queue.wouldHold(Mode.SHARED, 0)).isFalse();
    }

    private static String behind(Queue queue, int at) {
        Queue.Verdict verdict = queue.verdict(queue.names().get(at), 0);
        return verdict == null || verdict.behind() == null
                ? "nobody"
                : verdict.behind().claimId();
    }

    @Test
    void permitsHoldUpToTheSumAndTheFirstThatDoesNotFitWatchesAll() {
        Queue queue = Queue.of(List.of("p2-a-0000000001", "p1-b-0000000002", "p2-c-0000000003", "p1-d-0000000004"));
        assertThat(queue.verdict(queue.names().get(1), 4)).isEqualTo(new Queue.Verdict(true, null));
        assertThat(queue.verdict(queue.names().get(2), 4)).isEqualTo(new Queue.Verdict(false, null));
        assertThat(behind(queue, 3)).isEqualTo("nobody");
        assertThat(queue.verdict(queue.names().get(3), 4))
                .isEqualTo(new Queue.Verdict(false, queue.names().get(2)));
        assertThat(queue.wouldHold(Mode.permits(1, 6), 6)).isFalse();
        assertThat(queue.wouldHold(Mode.permits(1, 7), 7)).isTrue();
    }

    // 16,000 short names in one answer dropped the connection at every contact, and 13,959 locks were lost.
    @Test
    void theNamesOfASessionAreAskedForInPartsThatCoverAllFolders() {
        assertThat(layout.parts(700_000)).containsExactly("/root/queues");
        List<String> few = layout.parts(5_000_000);
        assertThat(few).hasSize(16);
        Set<String> covered = new HashSet<>();
        List<String> many = layout.parts(50_000_000);
        assertThat(many).hasSize(256);
        for (int i = 0; i < 10_000; i++) {
            String path = layout.queue(Resource.lock("name" + i));
            List<String> in = new ArrayList<>();
            for (String part : many) {
                if (path.startsWith(part)) {
                    in.add(part);
                }
            }
            assertThat(in).hasSize(1);
            covered.add(in.get(0));
        }
        assertThat(covered).hasSize(256);
    }

    @Test
    void urlsNameServersRootAndUser() {
        assertThat(ZookeeperUrl.parse("zk://a,b:1,[::1]:2/x/y/"))
                .isEqualTo(new ZookeeperUrl("a:2181,b:1,[::1]:2", "/x/y", null));
        assertThat(ZookeeperUrl.parse("zookeeper://u%40x:p%2Fw@h"))
                .isEqualTo(new ZookeeperUrl("h:2181", "/lockkeeper", "u@x:p/w"));
        assertThat(ZookeeperBackend.at("zk://u:secret@h/r").describe()).isEqualTo("zk://h:2181/r");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk:",
                "zk://",
                "zk://h:0",
                "zk://h:70000",
                "zk://h,,i",
                "zk://u@h",
                "zk://h/../x",
                "zk://h/zookeeper",
                "zk://h//x",
                "zk://u:secret@h:x"
            })
    void aMalformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> ZookeeperBackend.at(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }
}
