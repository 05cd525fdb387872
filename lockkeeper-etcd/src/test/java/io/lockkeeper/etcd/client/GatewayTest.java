package io.lockkeeper.etcd.client;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent, to which server and how often, as seen by servers that answer what a case tells them to. */
@Timeout(60)
class GatewayTest {

    private static final String NOTHING = "";
    private final List<FakeServer> servers = new CopyOnWriteArrayList<>();

    /** A server that answers each request by the next of its answers; an empty one ends the connection without a word. */
    private final class FakeServer {
        final ServerSocket door;
        final Queue<String> answers = new ConcurrentLinkedQueue<>();
        final List<String> requests = new CopyOnWriteArrayList<>();

        FakeServer(String... inTurn) throws IOException {
            door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            answers.addAll(List.of(inTurn));
            Thread thread = new Thread(this::run);
            thread.setDaemon(true);
            thread.start();
            servers.add(this);
        }

        Address address() {
            return new Address("127.0.0.1", door.getLocalPort());
        }

        private void run() {
            while (!door.isClosed()) {
                try (Socket client = door.accept()) {
                    while (answer(client)) {
                        // The next one.
                    }
                } catch (IOException gone) {
                    // The next one.
                }
            }
        }

        private boolean answer(Socket client) throws IOException {
            InputStream in = client.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    return false;
                }
                head.append((char) next);
            }
            String length = head.substring(head.indexOf("Content-Length: ") + 16);
            byte[] body = in.readNBytes(Integer.parseInt(length.substring(0, length.indexOf('\r'))));
            requests.add(head + new String(body, StandardCharsets.UTF_8));
            String answer = answers.poll();
            if (answer == null || answer.isEmpty()) {
                return false;
            }
            client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            return true;
        }
    }

    private static String reply(int status, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(20));
    }

    private static Etcd client(Address... servers) {
        return new Etcd(List.of(servers), null, null);
    }

    private static Txn write() {
        Txn txn = new Txn();
        txn.then().put("a", "b", 0);
        return txn;
    }

    private static final String WRITTEN =
            "{\"header\":{\"revision\":\"7\"},\"succeeded\":true,\"responses\":[{\"response_put\":{}}]}";

    @AfterEach
    void close() throws IOException {
        for (FakeServer server : servers) {
            server.door.close();
        }
    }

    @Test
    void aRequestWithoutAReplyIsNotSentAgain() throws IOException {
        FakeServer silent = new FakeServer(NOTHING);
        FakeServer other = new FakeServer(reply(200, WRITTEN));
        try (Etcd etcd = client(silent.address(), other.address())) {
            assertThatThrownBy(() -> etcd.run(write(), soon())).isInstanceOf(StoreUnavailableException.class);
            assertThat(silent.requests).hasSize(1);
            assertThat(other.requests).isEmpty();
            assertThat(etcd.run(write(), soon()).revision())
                    .as("the next one goes elsewhere")
                    .isEqualTo(7);
            assertThat(silent.requests).hasSize(1);
        }
    }

    @Test
    void aReplyThatIsNoJsonIsNoReplyAndItsConnectionIsNotUsedAgain() throws IOException {
        FakeServer odd = new FakeServer(reply(200, "[["), reply(200, WRITTEN));
        try (Etcd etcd = client(odd.address())) {
            assertThatThrownBy(() -> etcd.run(write(), soon()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("JSON gateway");
            assertThat(etcd.run(write(), soon()).succeeded()).isTrue();
            assertThat(odd.requests).hasSize(2);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsPassedOver() throws IOException {
        FakeServer down = new FakeServer();
        down.door.close();
        FakeServer up = new FakeServer(reply(200, WRITTEN), reply(200, WRITTEN));
        try (Etcd etcd = client(down.address(), up.address())) {
            assertThat(etcd.run(write(), soon()).succeeded()).isTrue();
            assertThat(etcd.run(write(), soon()).succeeded()).isTrue();
            assertThat(up.requests).hasSize(2);
        }
    }

    @Test
    void aTokenThatHasExpiredIsRenewedOnceAndTheRequestSentAgain() throws IOException {
        String expired = "{\"error\":\"etcdserver: invalid auth token\",\"code\":16}";
        FakeServer server = new FakeServer(
                reply(200, "{\"token\":\"one.1\"}"),
                reply(401, expired),
                reply(200, "{\"token\":\"two.2\"}"),
                reply(200, WRITTEN),
                reply(401, expired),
                reply(200, "{\"token\":\"three.3\"}"),
                reply(401, expired));
        try (Etcd etcd = new Etcd(List.of(server.address()), null, () -> new Credentials("u", "p\""))) {
            assertThat(etcd.run(write(), soon()).succeeded()).isTrue();
            assertThat(server.requests).hasSize(4);
            assertThat(server.requests.get(0)).contains("{\"name\":\"u\",\"password\":\"p\\\"\"}");
            assertThat(server.requests.get(1)).contains("Authorization: one.1");
            assertThat(server.requests.get(3)).contains("Authorization: two.2");
            assertThatThrownBy(() -> etcd.run(write(), soon()))
                    .isInstanceOf(EtcdErrorException.class)
                    .hasMessageContaining("asks for a user");
            assertThat(server.requests).as("once, not again and again").hasSize(7);
        }
    }

    @Test
    void errorsAreSentencesThatSayWhatToDo() throws IOException {
        FakeServer server = new FakeServer(
                reply(404, "404 page not found"),
                reply(429, "{\"error\":\"etcdserver: mvcc: database space exceeded\",\"code\":8}"),
                reply(503, "{\"error\":\"etcdserver: no leader\",\"code\":14}"),
                reply(403, "{\"error\":\"etcdserver: permission denied\",\"code\":7}"),
                reply(503, "{\"error\":\"etcdserver: request timed out\",\"code\":14}"),
                "\0\0\0\4\n");
        try (Etcd etcd = client(server.address())) {
            assertThatThrownBy(() -> etcd.run(write(), soon())).hasMessageContaining("--enable-grpc-gateway");
            assertThatThrownBy(() -> etcd.run(write(), soon())).hasMessageContaining("etcdctl alarm disarm");
            assertThatThrownBy(() -> etcd.run(write(), soon()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("majority");
            assertThatThrownBy(() -> etcd.run(write(), soon())).hasMessageContaining("readwrite");
            assertThatThrownBy(() -> etcd.run(write(), soon())).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> etcd.run(write(), soon()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not answer as the JSON gateway");
        }
    }

    @Test
    void whatAProxyAnswersInPlaceOfEtcdMayHaveBeenExecuted() throws IOException {
        FakeServer proxy = new FakeServer();
        try (Etcd etcd = client(proxy.address())) {
            for (int status : new int[] {408, 429, 499, 502, 503, 504}) {
                proxy.answers.add(reply(status, "<html>Bad Gateway</html>"));
                assertThatThrownBy(() -> etcd.run(write(), soon()))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("A proxy before etcd")
                        .hasMessageContaining(status + " '<html>Bad Gateway</html>'");
            }
        }
    }

    @Test
    void aWaitForTheLoginOfAnotherThreadEndsAtItsOwnDeadline() throws IOException {
        FakeServer slow = new FakeServer();
        slow.answers.add("HTTP/1.1 ");
        try (Etcd etcd = new Etcd(List.of(slow.address()), null, () -> new Credentials("u", "p"))) {
            CompletableFuture<TxnReply> first = CompletableFuture.supplyAsync(() -> etcd.run(write(), soon()));
            until("it logs in", () -> slow.requests.size() == 1);
            assertThatThrownBy(() -> etcd.run(write(), Deadline.in(Duration.ofMillis(50))))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(first).as("the other one still waits").isNotDone();
        }
    }

    @Test
    void aKeepAliveForALeaseThatIsGoneSaysZero() throws IOException {
        FakeServer server = new FakeServer(
                reply(200, "{\"result\":{\"ID\":\"5\"}}"),
                reply(200, "{\"result\":{\"ID\":\"5\",\"TTL\":\"30\"}}"),
                reply(200, "{\"result\":{\"ID\":\"6\",\"TTL\":\"30\"}}"),
                reply(200, "{\"ID\":\"5\",\"TTL\":\"-1\"}"));
        try (Etcd etcd = client(server.address())) {
            assertThat(etcd.keepAlive(5, soon())).isZero();
            assertThat(etcd.keepAlive(5, soon())).isEqualTo(30);
            assertThatThrownBy(() -> etcd.keepAlive(5, soon())).isInstanceOf(StoreUnavailableException.class);
            assertThat(etcd.look(5, true, soon()).seconds()).isEqualTo(-1);
        }
    }
}
