package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.LockkeeperException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose replies are well formed but not those that were expected is reported in one sentence. */
class UnexpectedRepliesTest {

    /** What a login is answered with: PING, and the two names of a connection. */
    private static final String WELCOME = "+PONG\r\n+OK\r\n+OK\r\n";

    /** Says the same on each connection, whatever it is asked. */
    private static final class Strange implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> clients = new CopyOnWriteArrayList<>();

        Strange(String says) throws IOException {
            Thread thread = new Thread(
                    () -> {
                        try {
                            while (true) {
                                Socket client = socket.accept();
                                clients.add(client);
                                client.getOutputStream().write(bytes(says));
                            }
                        } catch (IOException over) {
                            // The test is over.
                        }
                    },
                    "strange");
            thread.setDaemon(true);
            thread.start();
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (Socket client : clients) {
                client.close();
            }
            socket.close();
        }
    }

    private static void isOneSentence(Throwable e) {
        assertThat(e).isInstanceOf(LockkeeperException.class);
        assertThat(e.getMessage()).doesNotContain("\n").contains("127.0.0.1").hasSizeLessThan(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":5\r\n",
                "+x\r\n",
                "*1\r\n:1\r\n",
                "*1\r\n*3\r\n:-7\r\n:5\r\n*2\r\n+h\r\n:1\r\n",
                "*1\r\n*3\r\n:0\r\n:99999999999\r\n*2\r\n+h\r\n:1\r\n",
                "*1\r\n*3\r\n:0\r\n:99999\r\n*2\r\n+h\r\n:1\r\n",
                "*1\r\n*2\r\n:0\r\n:5\r\n",
                "*1\r\n*3\r\n:0\r\n:5\r\n*1\r\n$-1\r\n",
                "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\nh\nSEVERE:\r\n:1\r\n",
                "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n+h\r\n:65536\r\n",
                "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n+h\r\n:4294967297\r\n",
                "$-1\r\n",
                "*1000001\r\n"
            })
    void toTheQuestionWhoHasWhichSlot(String answer) throws IOException {
        try (Strange server = new Strange(WELCOME + answer);
                Redis redis = TestClients.connect("redis-cluster://" + server.address())) {
            isOneSentence(catchThrowable(() -> redis.run(count("n"), TIMEOUT)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":5\r\n:5\r\n",
                "*2\r\n+h\r\n+x\r\n*0\r\n",
                "*2\r\n:1\r\n:2\r\n*0\r\n",
                "*2\r\n+h\r\n+1\r\n:1\r\n",
                "*2\r\n$9\r\nh\nSEVERE:\r\n+1\r\n*0\r\n",
                "*2\r\n+h\r\n+65536\r\n*0\r\n"
            })
    void toTheQuestionWhereThePrimaryIs(String answer) throws IOException {
        try (Strange server = new Strange(WELCOME + answer);
                Redis redis = TestClients.connect("redis-sentinel://" + server.address() + "/mymaster")) {
            isOneSentence(catchThrowable(() -> redis.run(count("n"), TIMEOUT.dividedBy(10))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":5\r\n:5\r\n:5\r\n", "*0\r\n*0\r\n*0\r\n", "$-1\r\n$-1\r\n$-1\r\n"})
    void toTheQuestionWhatItIs(String answer) throws IOException {
        try (Strange server = new Strange(WELCOME + answer);
                Redis redis = TestClients.connect("redis://" + server.address())) {
            isOneSentence(catchThrowable(() -> redis.check(TIMEOUT)));
            isOneSentence(catchThrowable(() -> redis.scan(bytes("*"), TIMEOUT)));
        }
    }

    @Test
    void moreThanWasAskedForIsNotKeptForTheNextRequest() throws IOException {
        try (Strange server = new Strange(WELCOME + ":1\r\n:2\r\n");
                Redis redis = TestClients.connect("redis://" + server.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(redis.run(count("n"), TIMEOUT)).isEqualTo(1L);
            }
        }
    }
}
