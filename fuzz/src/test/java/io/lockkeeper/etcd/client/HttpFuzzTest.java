package io.lockkeeper.etcd.client;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whatever a server sends is replies of HTTP or is refused, and it does not matter in which pieces it comes. */
class HttpFuzzTest {

    private static final int MOST_REPLIES = 20;

    @FuzzTest(maxDuration = "5m")
    void anyBytesAreRepliesOrRefused(byte[] bytes) throws IOException {
        List<String> whole = read(bytes, bytes.length + 1);
        for (int piece : new int[] {1, 2, 3, 7, 64}) {
            List<String> pieces = read(bytes, piece);
            if (!pieces.equals(whole)) {
                throw new AssertionError("In pieces of " + piece + " it is " + pieces + ", in one " + whole);
            }
        }
    }

    /** All replies, and at the end why there are no more. */
    private static List<String> read(byte[] bytes, int piece) throws IOException {
        HttpReader reader = new HttpReader(new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, piece));
            }
        });
        List<String> replies = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_REPLIES; i++) {
                reader.readHead();
                replies.add(reader.status() + " " + reader.isClosing() + " " + Arrays.hashCode(reader.readBody()));
            }
        } catch (EOFException e) {
            replies.add("the end");
        } catch (NotHttpException e) {
            if (String.valueOf(e.getMessage()).isBlank()
                    || String.valueOf(e.getMessage()).length() > 200) {
                throw new AssertionError("Refused without a reason, or at length", e);
            }
            replies.add("refused");
        }
        return replies;
    }
}
