package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Steps.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** What is logged about a quorum that is not available. */
class QuorumOutageTest {

    private static final Logger LOG = Logger.getLogger("io.lockkeeper");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private long lines(String text) {
        return lines.stream().filter(line -> line.contains(text)).count();
    }

    @Test
    void aQuorumIsNotCalledAvailableWhileAMajorityIsDown() throws Exception {
        QuorumBuilder builder = Quorum.builder().nodeTimeout(Duration.ofSeconds(5));
        List<FaultyMember> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(new FaultyMember(Clocks.system()));
            builder.durableMember(members.get(i));
        }
        LOG.addHandler(handler);
        try (Quorum quorum = builder.build();
                Lockkeeper keeper =
                        Lockkeeper.builder().lease(Duration.ofMinutes(1)).open(quorum)) {
            SingleHold hold = keeper.lock("orders/42").acquire();
            members.get(0).fail(Fault.DOWN);
            members.get(1).fail(Fault.DOWN);
            for (int renewals = 1; renewals <= 3; renewals++) {
                int wanted = renewals;
                // Something may have changed, so what is held is renewed at once.
                eventually(() -> {
                    members.get(2).opener.signalAll();
                    return Collections.frequency(members.get(2).calls, "renew") >= wanted;
                });
            }
            eventually(() -> lines("is not available") > 0);
            assertThat(lines("is available again")).isZero();
            members.forEach(FaultyMember::heal);
            eventually(() -> {
                members.get(2).opener.signalAll();
                return lines("is available again") == 1;
            });
            hold.close();
            assertThat(lines("is not available")).isEqualTo(1);
        } finally {
            LOG.removeHandler(handler);
        }
    }

    // Each failed attempt is followed by the release of its claim, which asks no member, since nothing is left of the
    // claim.
    @Test
    void attemptsThatFailDoNotMakeItAvailableAgain() {
        QuorumBuilder builder = Quorum.builder().nodeTimeout(Duration.ofSeconds(5));
        List<FaultyMember> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(new FaultyMember(Clocks.system()));
            builder.durableMember(members.get(i));
        }
        LOG.addHandler(handler);
        try (Quorum quorum = builder.build()) {
            try (Lockkeeper keeper = Lockkeeper.of(quorum)) {
                members.get(0).fail(Fault.DOWN);
                members.get(1).fail(Fault.DOWN);
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> keeper.lock("orders/42").tryAcquire())
                            .isInstanceOf(StoreUnavailableException.class);
                }
            }
            assertThat(lines("is not available")).isEqualTo(1);
            assertThat(lines("is available again")).isZero();
        } finally {
            LOG.removeHandler(handler);
        }
    }
}
