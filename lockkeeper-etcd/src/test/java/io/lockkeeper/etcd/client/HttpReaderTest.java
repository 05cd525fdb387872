package io.lockkeeper.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies are read as what anybody may have sent: bounded, and to their exact end. */
class HttpReaderTest {

    private static HttpReader reader(String text) {
        return new HttpReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static String body(HttpReader reader) throws IOException {
        reader.readHead();
        return new String(reader.readBody(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void oneReplyAfterTheOtherIsReadWhateverItsForm() throws IOException {
        HttpReader reader = reader("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
                + "HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\nTrailer: X\r\n\r\n"
                + "2\r\nde\r\nA;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertThat(body(reader)).isEqualTo("abc");
        assertThat(reader.status()).isEqualTo(200);
        assertThat(body(reader)).isEqualTo("de0123456789");
        assertThat(reader.status()).isEqualTo(404);
        assertThat(reader.isClosing()).isFalse();
        assertThat(body(reader)).isEmpty();
        assertThat(reader.isClosing()).isTrue();
        assertThat(reader.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1",
                "HTTP/2 200\r\n\r\n",
                "SSH-2.0\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 67108865\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"
            })
    void whatIsNoReplyIsAnError(String text) {
        assertThatThrownBy(() -> body(reader(text))).isInstanceOf(IOException.class);
    }

    @Test
    void nothingIsReadWithoutABound() {
        String head = "HTTP/1.1 200 OK\r\n";
        assertThatThrownBy(() -> body(reader(head + "X: " + "y".repeat(HttpReader.LONGEST_LINE))))
                .isInstanceOf(NotHttpException.class);
        assertThatThrownBy(() -> body(reader(head + "X: y\r\n".repeat(HttpReader.MOST_LINES + 1) + "\r\n")))
                .isInstanceOf(NotHttpException.class);
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        assertThatThrownBy(() -> body(reader(chunked + "0\r\n" + "X: y\r\n".repeat(HttpReader.MOST_LINES + 2))))
                .isInstanceOf(NotHttpException.class);
        String chunk = "100000\r\n" + "z".repeat(0x100000) + "\r\n";
        assertThatThrownBy(() -> body(reader(chunked + chunk.repeat(65)))).isInstanceOf(NotHttpException.class);
    }
}
