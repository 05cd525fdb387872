package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class FaultyBackendTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Network network = new Network();
    private final AtomicInteger executed = new AtomicInteger();

    private int send(Duration limit) {
        return network.send(Call.ATTEMPT, limit, Clocks.system(), executed::incrementAndGet);
    }

    @Test
    void withoutFaultsRequestsAreExecutedAndCounted() {
        assertThat(send(LIMIT)).isEqualTo(1);
        assertThat(network.calls()).isEqualTo(1);
        assertThat(network.calls(Call.ATTEMPT)).isEqualTo(1);
        assertThat(network.calls(Call.RELEASE, Call.RENEW)).isZero();
    }

    @Test
    void whatIsCutIsNotExecuted() {
        network.cut(Call.ATTEMPT);
        assertThatThrownBy(() -> send(LIMIT)).isInstanceOf(StoreUnavailableException.class);
        network.heal();
        assertThat(send(LIMIT)).isEqualTo(1);
    }

    @Test
    void aLostReplyIsExecuted() {
        network.failAfter(Call.ATTEMPT, 1);
        assertThatThrownBy(() -> send(LIMIT)).isInstanceOf(StoreUnavailableException.class);
        assertThat(send(LIMIT)).isEqualTo(2);
    }

    @Test
    void anUnsentRequestIsNotExecuted() {
        network.failBefore(Call.ATTEMPT, 2);
        assertThatThrownBy(() -> send(LIMIT)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> send(LIMIT)).isInstanceOf(StoreUnavailableException.class);
        assertThat(send(LIMIT)).isEqualTo(1);
    }

    @Test
    void aHungRequestFailsAtItsLimitAndIsExecutedLate() {
        network.hang();
        assertThatThrownBy(() -> send(Duration.ofMillis(30))).isInstanceOf(StoreUnavailableException.class);
        assertThat(executed).hasValue(0);
        network.heal();
        assertThat(executed).hasValue(1);
    }

    @Test
    void aHungRequestIsAnsweredIfTheServerGoesOnInTime() throws Exception {
        network.hang();
        CompletableFuture<Integer> answer =
                CompletableFuture.supplyAsync(() -> send(LIMIT), work -> new Thread(work).start());
        while (network.calls() == 0) {
            Thread.onSpinWait();
        }
        network.heal();
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(executed).hasValue(1);
    }
}
