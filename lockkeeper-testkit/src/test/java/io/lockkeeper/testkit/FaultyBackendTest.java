package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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

    private static Claim claim(String id) {
        return Claim.of(
                id,
                new Resource(Family.LOCK, "orders/42"),
                Mode.EXCLUSIVE,
                Duration.ofMinutes(1),
                new HolderInfo("keeper", "host", 1, ""),
                LIMIT);
    }

    /** Exchanges a grant for another claim, over a network with that fault. */
    private static Exchanged exchange(FaultyBackend backend, Consumer<Network> fault) {
        Store store = backend.open(new QuietKeeper("mine"));
        assertThat(store.attempt(claim("first"))).isInstanceOf(Answer.Granted.class);
        fault.accept(backend.network());
        Release release =
                new Release(claim("first").resource(), "first", Duration.ofMinutes(1), false, Duration.ofSeconds(1));
        return StoreAbility.of(store, ExchangeStore.class).exchange(release, claim("next"));
    }

    private static boolean isHeld(MemoryBackend memory) {
        try (Store direct = memory.open(new QuietKeeper("other"))) {
            return direct.inspect(claim("first").resource()).isPresent();
        }
    }

    @Test
    void anExchangeIsOneRequestThatCountsAsItsHalvesToo() {
        MemoryBackend memory = MemoryBackend.create();
        FaultyBackend backend = new FaultyBackend(memory);
        Exchanged exchanged = exchange(backend, network -> {});
        assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.RELEASED);
        assertThat(exchanged.answer()).isInstanceOf(Answer.Granted.class);
        assertThat(backend.network().calls(Call.EXCHANGE)).isEqualTo(1);
        assertThat(backend.network().calls(Call.RELEASE)).isEqualTo(1);
        assertThat(backend.network().calls(Call.ATTEMPT)).isEqualTo(2);
    }

    @Test
    void ofAnExchangeTheSecondReplyAloneCanBeLost() {
        MemoryBackend memory = MemoryBackend.create();
        Exchanged exchanged = exchange(new FaultyBackend(memory), network -> network.failSecondHalf(1));
        assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.RELEASED);
        assertThat(exchanged.answer()).isNull();
        assertThat(exchanged.attemptFailure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(isHeld(memory)).as("the attempt was executed").isTrue();
    }

    @Test
    void aFaultOfAnAttemptMeetsTheSecondHalfOfAnExchange() {
        MemoryBackend memory = MemoryBackend.create();
        Exchanged exchanged = exchange(new FaultyBackend(memory), network -> network.failBefore(Call.ATTEMPT, 1));
        assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.RELEASED);
        assertThat(exchanged.attemptFailure()).isInstanceOf(StoreUnavailableException.class);
        assertThat(isHeld(memory)).as("the attempt was not sent").isFalse();
    }

    @Test
    void anExchangeWhoseReplyIsLostIsExecuted() {
        MemoryBackend memory = MemoryBackend.create();
        assertThatThrownBy(() -> exchange(new FaultyBackend(memory), network -> network.failAfter(Call.EXCHANGE, 1)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(isHeld(memory)).isTrue();
    }

    /** A keeper that nothing is told to. */
    private record QuietKeeper(String id) implements Keeper {

        @Override
        public HolderInfo holder() {
            return new HolderInfo(id, "host", 1, "");
        }

        @Override
        public Duration lease() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Duration commandTimeout() {
            return LIMIT;
        }

        @Override
        public Clocks clocks() {
            return Clocks.system();
        }

        @Override
        public void signal(Resource resource) {}

        @Override
        public void signalAll() {}

        @Override
        public boolean knows(Resource resource, String claimId) {
            return true;
        }
    }
}
