package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Replies come whole, however their bytes arrive. */
class ReadingTest {

    private static final String ALL = ":1794796784444195\r\n"
            + "$5\r\na\r\nbc\r\n"
            + "$-1\r\n"
            + "$0\r\n\r\n"
            + "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n:-7\r\n$-1\r\n"
            + "*0\r\n"
            + "*-1\r\n"
            + "+OK\r\n"
            + "-ERR it is wrong\r\n"
            + ":2\r\n";

    /** What is there comes in parts of so many bytes. */
    private static List<Object> read(byte[] bytes, int part) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, part));
            }
        };
        Reading reading = new Reading();
        List<Object> replies = new ArrayList<>();
        while (in.available() > 0) {
            reading.fill(in);
            for (Object reply = reading.next(); reply != Reading.NOT_YET; reply = reading.next()) {
                replies.add(reply);
            }
        }
        return replies;
    }

    @Test
    void repliesAreTheSameHoweverTheyArrive() throws IOException {
        for (int part = 1; part <= ALL.length(); part++) {
            List<Object> replies = read(ALL.getBytes(StandardCharsets.US_ASCII), part);

            assertThat(replies).as("in parts of %d", part).hasSize(10);
            assertThat(replies.get(0)).isEqualTo(1794796784444195L);
            assertThat(replies.get(1)).isEqualTo(Calls.bytes("a\r\nbc"));
            assertThat(replies.get(2)).isNull();
            assertThat(replies.get(3)).isEqualTo(new byte[0]);
            List<?> nested = (List<?>) replies.get(4);
            assertThat(nested.get(0)).isEqualTo(1L);
            assertThat((byte[]) ((List<?>) nested.get(1)).get(0)).isEqualTo(Calls.bytes("x"));
            assertThat(((List<?>) nested.get(1)).get(1)).isEqualTo(-7L);
            assertThat(nested.get(2)).isNull();
            assertThat(replies.get(5)).isEqualTo(List.of());
            assertThat(replies.get(6)).isNull();
            assertThat(replies.get(7)).isEqualTo(Calls.bytes("OK"));
            assertThat(replies.get(8))
                    .isInstanceOf(ErrorReplyException.class)
                    .extracting(Object::toString, InstanceOfAssertFactories.STRING)
                    .endsWith(": ERR it is wrong");
            assertThat(replies.get(9)).isEqualTo(2L);
        }
    }

    @Test
    void aReplyMayBeLongerThanWhatIsKeptAtFirst() throws IOException {
        byte[] big = new byte[1_000_000];
        Arrays.fill(big, (byte) 'x');
        byte[] head = Calls.bytes("*2\r\n:5\r\n$1000000\r\n");
        byte[] all = Arrays.copyOf(head, head.length + big.length + 2);
        System.arraycopy(big, 0, all, head.length, big.length);
        all[all.length - 2] = '\r';
        all[all.length - 1] = '\n';

        List<Object> replies = read(all, 5000);

        assertThat(replies).hasSize(1);
        assertThat(((List<?>) replies.get(0)).get(1)).isEqualTo(big);
    }

    @Test
    void errorsAreKnownByTheirFirstWord() throws IOException {
        List<Object> replies = read(
                Calls.bytes("-NOSCRIPT No matching script. Please use EVAL.\r\n-MOVED 3999 127.0.0.1:6381\r\n"), 7);

        assertThat(((ErrorReplyException) replies.get(0)).kind()).isEqualTo(ErrorReplyException.Kind.NOSCRIPT);
        assertThat(((ErrorReplyException) replies.get(1)).target(new Address("here", 1)))
                .hasToString("127.0.0.1:6381");
    }

    @Test
    void whatIsNoReplyIsSeenAtItsFirstByte() {
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read(Calls.bytes("HTTP/1.1 400"), 1))
                .withMessageContaining("Unknown reply: H");
    }

    @Test
    void theEndIsNoReply() throws IOException {
        Reading reading = new Reading();
        reading.fill(new ByteArrayInputStream(Calls.bytes(":12")));

        assertThat(reading.next()).isSameAs(Reading.NOT_YET);
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> reading.fill(new ByteArrayInputStream(new byte[0])));
    }
}
