package io.lockkeeper.redis.client;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies are read whole, however their bytes arrive. */
class ReplyReaderTest {

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

    /** What is there comes in parts of this many bytes. */
    private static List<Object> read(byte[] bytes, int part) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, part));
            }
        };
        ReplyReader reading = new ReplyReader();
        List<Object> replies = new ArrayList<>();
        while (in.available() > 0) {
            reading.fill(in);
            for (Object reply = reading.next(); reply != ReplyReader.NOT_YET; reply = reading.next()) {
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
            assertThat(replies.get(1)).isEqualTo(TestScripts.bytes("a\r\nbc"));
            assertThat(replies.get(2)).isNull();
            assertThat(replies.get(3)).isEqualTo(new byte[0]);
            List<?> nested = (List<?>) replies.get(4);
            assertThat(nested.get(0)).isEqualTo(1L);
            assertThat((byte[]) ((List<?>) nested.get(1)).get(0)).isEqualTo(TestScripts.bytes("x"));
            assertThat(((List<?>) nested.get(1)).get(1)).isEqualTo(-7L);
            assertThat(nested.get(2)).isNull();
            assertThat(replies.get(5)).isEqualTo(List.of());
            assertThat(replies.get(6)).isNull();
            assertThat(replies.get(7)).isEqualTo(TestScripts.bytes("OK"));
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
        byte[] head = TestScripts.bytes("*2\r\n:5\r\n$1000000\r\n");
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
                TestScripts.bytes("-NOSCRIPT No matching script. Please use EVAL.\r\n-MOVED 3999 127.0.0.1:6381\r\n"),
                7);

        assertThat(((ErrorReplyException) replies.get(0)).kind()).isEqualTo(ErrorReplyException.Kind.NOSCRIPT);
        assertThat(((ErrorReplyException) replies.get(1)).target(new Address("here", 1)))
                .hasToString("127.0.0.1:6381");
    }

    @Test
    void whatIsNoReplyIsSeenAtItsFirstByte() {
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read(TestScripts.bytes("HTTP/1.1 400"), 1))
                .withMessageContaining("Unknown reply: H");
    }

    @Test
    void theEndIsNoReply() throws IOException {
        ReplyReader reading = new ReplyReader();
        reading.fill(new ByteArrayInputStream(TestScripts.bytes(":12")));

        assertThat(reading.next()).isSameAs(ReplyReader.NOT_YET);
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> reading.fill(new ByteArrayInputStream(new byte[0])));
    }

    private static List<Object> read(String text) throws IOException {
        return read(TestScripts.bytes(text), 3);
    }

    private static Object shown(Object reply) {
        return reply instanceof byte[] text
                ? new String(text, StandardCharsets.UTF_8)
                : reply instanceof List<?> list
                        ? list.stream().map(ReplyReaderTest::shown).toList()
                        : String.valueOf(reply);
    }

    @Test
    void repliesOfVersionThreeLookAsInVersionTwo() throws IOException {
        List<Object> replies = read("%2\r\n+a\r\n:1\r\n+b\r\n~2\r\n:2\r\n:3\r\n"
                + "#t\r\n#f\r\n_\r\n,3.25\r\n,inf\r\n(3492890328409238509324850943850943825024385\r\n"
                + "=8\r\ntxt:text\r\n!10\r\nERR a\r\nb c\r\n~0\r\n%0\r\n");

        assertThat(replies.stream().map(ReplyReaderTest::shown))
                .containsExactly(
                        List.of("a", "1", "b", List.of("2", "3")),
                        "1",
                        "0",
                        "null",
                        "3.25",
                        "inf",
                        "3492890328409238509324850943850943825024385",
                        "text",
                        "io.lockkeeper.redis.client.ErrorReplyException: ERR a  b c",
                        List.of(),
                        List.of());
    }

    @Test
    void attributesAreLeftOutWhereverTheyStand() throws IOException {
        assertThat(
                        read("|1\r\n+ttl\r\n:5\r\n*2\r\n|0\r\n|2\r\n+a\r\n*1\r\n:9\r\n+b\r\n:8\r\n:1\r\n:2\r\n:3\r\n")
                                .stream()
                                .map(ReplyReaderTest::shown))
                .containsExactly(List.of("1", "2"), "3");
    }

    @Test
    void whatIsPushedIsNoReply() throws IOException {
        String pushed = ">3\r\n+message\r\n+channel\r\n$2\r\nhi\r\n";
        assertThat(read(pushed + ":1\r\n" + pushed + pushed + ":2\r\n" + pushed))
                .containsExactly(1L, 2L);

        ReplyReader listening = new ReplyReader();
        listening.listen();
        listening.fill(new ByteArrayInputStream(TestScripts.bytes(pushed)));
        assertThat(shown(listening.next())).isEqualTo(List.of("message", "channel", "hi"));
        assertThat(listening.isEmpty()).isTrue();
    }

    @Test
    void theGreatestNumbersAreRead() throws IOException {
        assertThat(read(":9223372036854775807\r\n:-9223372036854775808\r\n:+7\r\n:0\r\n:-0\r\n"))
                .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 7L, 0L, 0L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":9223372036854775808\r\n",
                ":-9223372036854775809\r\n",
                ":99999999999999999999\r\n",
                ":\r\n",
                ":-\r\n",
                ":1a\r\n",
                ":1 \r\n",
                "$\r\n",
                "$-2\r\n",
                "$67108865\r\n",
                "$9223372036854775807\r\n",
                "$?\r\n",
                "$3\r\nabcd\r\n",
                "=2\r\nab\r\n",
                "=-1\r\n",
                "!-1\r\n",
                "*-2\r\n",
                "*1000001\r\n",
                "*2147483648\r\n",
                "*?\r\n",
                "%-1\r\n",
                "%500001\r\n",
                "|-1\r\n",
                "#x\r\n",
                "#\r\n",
                "_x\r\n",
                "*1\r\n>1\r\n:1\r\n",
                ".\r\n",
                "\u0015\u0003"
            })
    void whatBreaksTheGrammarOrABoundIsRefused(String text) {
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read(text))
                .matches(NoReplyException::isMalformed)
                .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
                .doesNotContain("\n")
                .hasSizeLessThan(200);
    }

    @Test
    void depthHasABound() throws IOException {
        assertThat(read("*1\r\n".repeat(ReplyReader.MOST_DEPTH) + ":1\r\n")).hasSize(1);
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read("*1\r\n".repeat(ReplyReader.MOST_DEPTH + 1) + ":1\r\n"))
                .withMessageContaining("levels");
        assertThatExceptionOfType(NoReplyException.class).isThrownBy(() -> read("*1\r\n".repeat(100_000)));
        // Many that are not nested are one level, however many attributes there are.
        assertThat(read("|0\r\n".repeat(20_000) + ":1\r\n")).containsExactly(1L);
    }

    @Test
    void theNumberOfValuesHasABoundHoweverTheyAreNested() {
        String wide = "*1000\r\n" + ("*999\r\n" + ":1\r\n".repeat(999)).repeat(1000);
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read(("*3\r\n" + wide + wide + wide).getBytes(StandardCharsets.US_ASCII), 8192))
                .withMessageContaining("values");
    }

    @Test
    void aLineThatDoesNotEndIsGivenUp() {
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> read(TestScripts.bytes("+" + "x".repeat(2 * ReplyReader.MOST_LINE)), 1000))
                .withMessageContaining("line");
    }

    /** What is announced costs nothing: memory is used for what has come. */
    @Test
    void aReplyThatGrowsWithoutEndIsGivenUp() {
        InputStream endless = new InputStream() {
            private int at;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                byte[] head = TestScripts.bytes(at == 0 ? "*3\r\n$60000000\r\n" : "");
                at++;
                Arrays.fill(into, offset, offset + length, (byte) 'x');
                System.arraycopy(head, 0, into, offset, head.length);
                return length;
            }
        };
        ReplyReader reading = new ReplyReader();
        assertThatExceptionOfType(NoReplyException.class)
                .isThrownBy(() -> {
                    while (reading.next() == ReplyReader.NOT_YET) {
                        reading.fill(endless);
                    }
                })
                .matches(NoReplyException::isMalformed);
    }

    @Test
    void anErrorIsOneShortLine() throws IOException {
        ErrorReplyException error = (ErrorReplyException)
                read("-ERR " + "x".repeat(5000) + "\u001b[31m\r\n").get(0);
        assertThat(error.getMessage()).hasSizeLessThan(1010).doesNotContain("\u001b");
        assertThat(((ErrorReplyException) read("-MOVED here\r\n").get(0)).isRedirection())
                .isFalse();
        assertThat(((ErrorReplyException) read("-MOVED 1 ?:7000\r\n").get(0)).target(new Address("from", 1)))
                .isEqualTo(new Address("from", 7000));
        assertThat(((ErrorReplyException) read("-ASK 1 ::1:7000\r\n").get(0)).target(new Address("from", 1)))
                .isEqualTo(new Address("::1", 7000));
    }
}
