package io.lockkeeper.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.TestTimeouts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Three real etcd servers. */
@Tag("etcd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EtcdClusterTest {

    private EtcdCluster cluster;

    @BeforeAll
    void start() {
        cluster = EtcdCluster.start();
    }

    @AfterEach
    void heal() {
        cluster.heal();
        cluster.awaitAll();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void anotherServerLeadsWhenTheLeaderIsKilled() {
        EtcdServer leader = cluster.leader();
        leader.kill();
        assertThat(cluster.leader()).isNotSameAs(leader);
        leader.restart();
    }

    @Test
    void aFollowerThatIsCutOffStillTalksToClientsButCannotWrite() {
        EtcdServer follower = cluster.follower();
        cluster.leader().admin().put("seen", "1");
        TestTimeouts.until(
                "the follower has it",
                () -> follower.ctl("get", "--consistency=s", "seen").contains("seen"));
        cluster.cutOff(follower);
        assertThat(follower.ctl("get", "--consistency=s", "seen")).contains("seen");
        assertThatThrownBy(() -> follower.admin().put("lost", "1")).isInstanceOf(RuntimeException.class);
        cluster.leader().admin().put("kept", "1");
        assertThat(follower.ctl("get", "--consistency=s", "kept")).doesNotContain("kept");
    }

    @Test
    void aLeaderThatIsCutOffIsReplaced() {
        EtcdServer leader = cluster.leader();
        cluster.cutOff(leader);
        assertThat(cluster.leader()).isNotSameAs(leader);
        assertThat(leader.isAlive()).isTrue();
    }

    /** Keep-alives go from a follower to its leader beside the log, so that way is cut too. */
    @Test
    void aFollowerThatIsCutOffCannotKeepALeaseAlive() {
        EtcdServer follower = cluster.follower();
        String lease = cluster.leader().ctl("lease", "grant", "600").split(" ")[1];
        String id = Long.toString(Long.parseUnsignedLong(lease, 16));
        String body = "{\"ID\":\"" + id + "\"}";
        assertThat(follower.admin().post("lease/keepalive", body)).contains("TTL");
        cluster.cutOff(follower);
        assertThatThrownBy(() -> assertThat(follower.admin().post("lease/keepalive", body))
                        .contains("TTL"))
                .isInstanceOf(Throwable.class);
        cluster.leader().admin().revoke(id);
    }

    @Test
    void nothingIsServedWithoutAMajority() {
        EtcdServer leader = cluster.leader();
        cluster.servers().stream().filter(server -> server != leader).forEach(EtcdServer::kill);
        TestTimeouts.until("the last one does not answer", () -> !leader.answers());
        cluster.servers().stream().filter(server -> server != leader).forEach(EtcdServer::startAgain);
        cluster.awaitAll();
    }
}
