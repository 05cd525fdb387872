package io.lockkeeper.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One real etcd server. */
@Tag("etcd")
final class EtcdServerTest {

    @Test
    void aServerKeepsItsDataWhenItIsKilledAndStartedAgain() {
        try (EtcdServer server = EtcdServer.start()) {
            server.admin().put("a", "1");
            long revision = server.admin().revision();
            server.kill();
            assertThat(server.answers()).isFalse();
            server.restart();
            assertThat(server.admin().keys("")).containsExactly("a");
            assertThat(server.admin().revision()).isEqualTo(revision);
            server.stop();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void aStoppedServerAnswersNothingUntilItGoesOn() {
        try (EtcdServer server = EtcdServer.start()) {
            server.pause();
            assertThat(server.answers()).isFalse();
            server.resume();
            TestTimeouts.until("it answers again", server::answers);
        }
    }

    @Test
    void aServerDiesWithAJvmThatIsKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start(ServerProgram.class)) {
            long pid = Long.parseLong(child.receive());
            assertThat(isRunning(pid)).isTrue();
            child.kill();
            TestTimeouts.until("the server is dead too", () -> !isRunning(pid));
        }
    }

    /** A zombie that nobody collects is dead as well. */
    private static boolean isRunning(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void itCountsRequestsAndTheEntriesOfItsLog() {
        try (EtcdServer server = EtcdServer.start()) {
            server.admin().put("a", "1");
            long puts = server.metrics().requests("Put");
            long entries = server.metrics().entries();
            server.admin().put("a", "2");
            server.admin().keys("a");
            assertThat(server.metrics().requests("Put")).isEqualTo(puts + 1);
            assertThat(server.metrics().entries()).isEqualTo(entries + 1);
        }
    }

    @Test
    void itKnowsHowManyConnectionsItsClientsHave() throws IOException {
        try (EtcdServer server = EtcdServer.options().durable().start()) {
            assertThat(server.connections()).isZero();
            try (Socket one = new Socket("127.0.0.1", server.port());
                    Socket two = new Socket("127.0.0.1", server.port())) {
                assertThat(one.isConnected() && two.isConnected()).isTrue();
                assertThat(server.connections()).isEqualTo(2);
            }
        }
    }

    @Test
    void anAdministratorEndsLeasesAndUsesTheCommand() {
        try (EtcdServer server = EtcdServer.start()) {
            String lease = server.ctl("lease", "grant", "60").split(" ")[1];
            server.ctl("put", "--lease=" + lease, "leased", "1");
            server.admin().put("other", "2");
            assertThat(server.admin().leases()).containsExactly(Long.toString(Long.parseUnsignedLong(lease, 16)));
            server.admin().revoke(server.admin().leases().get(0));
            assertThat(server.admin().keys("")).containsExactly("other");
            server.admin().compact();
            server.admin().delete("o");
            assertThat(server.admin().keys("")).isEmpty();
        }
    }

    @Test
    void whatTheServerRefusesIsToldInItsOwnWords() {
        assertThatThrownBy(() ->
                        EtcdServer.options().argument("--no-such-argument").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-argument");
    }

    @Test
    void aMissingProgramIsOneSentence() {
        assertThatThrownBy(() -> EtcdPrograms.choose("/no/such/etcd", "/usr/bin"))
                .hasMessage(
                        "No program is at /no/such/etcd, which ETCD_BIN names as the etcd server; name the path of an etcd");
        assertThatThrownBy(() -> EtcdPrograms.choose(null, "/no/such/folder"))
                .hasMessage(
                        "There is no etcd server: set ETCD_BIN to the path of one, put etcd on the PATH, or run on a Debian"
                                + " whose apt can fetch the package etcd-server; mvn -Pwithout-etcd leaves out the tests that need one");
    }
}
