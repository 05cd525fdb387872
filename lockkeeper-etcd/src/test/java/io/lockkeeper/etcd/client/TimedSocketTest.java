package io.lockkeeper.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

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
            // A system that lacks the options has its own times for it.
            int idle = options.getOrDefault("TCP_KEEPIDLE", 0);
            int probes = options.getOrDefault("TCP_KEEPINTERVAL", 0) * options.getOrDefault("TCP_KEEPCOUNT", 0);
            assertThat(idle + probes).isLessThan(60);
        }
    }
}
