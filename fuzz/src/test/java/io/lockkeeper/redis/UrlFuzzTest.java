package io.lockkeeper.redis;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever is given as a URL is one or is refused with a sentence, and what it says of itself is a URL of the same servers. */
class UrlFuzzTest {

    @FuzzTest(maxDuration = "2m")
    void anyTextIsAUrlOrRefused(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        RedisUrl url;
        try {
            url = RedisUrl.parse(text);
        } catch (IllegalArgumentException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("Refused without a reason", e);
            }
            return;
        }
        String described = url.describe();
        String shown = url.kind() == RedisUrl.Kind.SINGLE || !url.tls() ? described : described + "?tls=true";
        if (url.master().chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c))) {
            RedisUrl again = RedisUrl.parse(shown);
            if (!again.hosts().equals(url.hosts()) || again.tls() != url.tls() || again.database() != url.database()) {
                throw new AssertionError(text + " is " + url.hosts() + ", and " + shown + " is " + again.hosts());
            }
        }
    }
}
