package io.lockkeeper.redis.client;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whatever a server sends is replies or is refused, and it does not matter in which pieces it comes.
 *
 * <p>In the build the inputs that are checked in are run. {@code JAZZER_FUZZ=1 mvn test -pl fuzz -am -Dtest=ReplyFuzzTest -Dsurefire.failIfNoSpecifiedTests=false} looks for new
 * ones.
 */
class ReplyFuzzTest {

    private static final int DEEPEST = ReplyReader.MOST_DEPTH + 1;

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
        ByteArrayInputStream in = new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, piece));
            }
        };
        ReplyReader reading = new ReplyReader();
        List<String> replies = new ArrayList<>();
        try {
            while (in.available() > 0) {
                reading.fill(in);
                for (Object reply = reading.next(); reply != ReplyReader.NOT_YET; reply = reading.next()) {
                    replies.add(shown(reply, 0));
                }
            }
            replies.add(reading.isEmpty() ? "the end" : "the beginning of one");
        } catch (NoReplyException e) {
            if (!e.isMalformed() || String.valueOf(e.getMessage()).length() > 200) {
                throw new AssertionError("Refused for another reason, or at length", e);
            }
            replies.add("refused");
        }
        return replies;
    }

    private static String shown(@Nullable Object reply, int depth) {
        if (depth > DEEPEST) {
            throw new AssertionError("Deeper than is allowed");
        }
        if (reply instanceof List<?> list) {
            List<String> parts = new ArrayList<>();
            for (Object part : list) {
                parts.add(shown(part, depth + 1));
            }
            return parts.toString();
        }
        if (reply instanceof byte[] text) {
            return Arrays.toString(text);
        }
        if (reply instanceof ErrorReplyException error) {
            String said = String.valueOf(error.getMessage());
            if (said.length() > 1001 || said.indexOf('\n') >= 0) {
                throw new AssertionError("An error that is no short line: " + said);
            }
            return error.kind() + " " + said + " " + (error.isRedirection() ? error.target(new Address("h", 1)) : "");
        }
        if (reply != null && !(reply instanceof Long)) {
            throw new AssertionError("A reply of " + reply.getClass());
        }
        return String.valueOf(reply);
    }
}
