package io.lockkeeper.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimedSocketTest {

    @Test
    void aServerThatIsGoneWithoutAWordIsFoundOutWithinAMinute() throws Exception {
        try (TimedSocket socket = new TimedSocket()) {
            assertThat(socket.getKeepAlive()).isTrue();
            Map<String, Integer> options = new HashMap<>();
            for (SocketOption<?> option : socket.supportedOptions()) {
                if (option.name().startsWith("TCP_KEEP")) {
                    options.put(option.name(), (Integer) socket.getOption(option));
                }
            }
            assumeTrue(options.size() == 3, "the system has the options");
            assertThat(options.get("TCP_KEEPIDLE") + options.get("TCP_KEEPINTERVAL") * options.get("TCP_KEEPCOUNT"))
                    .isLessThan(60);
        }
    }
}
