package io.lockkeeper.etcd;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever is given as a URL of etcd is one or is refused with a sentence, and whatever is in a claim's key can be read. */
class UrlFuzzTest {

    @FuzzTest(maxDuration = "2m")
    void anyTextIsAUrlOrRefused(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            EtcdUrl url = EtcdUrl.parse(text);
            if (url.servers().isEmpty()) {
                throw new AssertionError(text + " has no server");
            }
        } catch (IllegalArgumentException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("Refused without a reason", e);
            }
        }
    }

    @FuzzTest(maxDuration = "2m")
    void anyTextInAClaimsKeyIsReadAndCountsAtLeastAsExclusive(byte[] bytes) {
        ClaimData data = ClaimData.read(new String(bytes, StandardCharsets.UTF_8));
        if (data.isForPermits() ? data.permits() < 1 : data.permits() != 0) {
            throw new AssertionError("It claims " + data.permits() + " permits");
        }
    }
}
