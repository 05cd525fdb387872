package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.StoreAbility;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.Line;
import io.lockkeeper.testkit.Network;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A release and the attempt that is sent along with it: each half has its own fate, whichever is lost. */
@Needs(Capability.EXCHANGE)
public abstract class ExchangeContract extends ContractTest {

    private StoreAccess open() {
        return closing(new StoreAccess(this, fixture().backend()));
    }

    private static Exchanged exchange(StoreAccess access, Claim ended, Claim next) {
        Release release = new Release(ended.resource(), ended.id(), ended.lease(), false, ended.timeout());
        return StoreAbility.of(access.store(), ExchangeStore.class).exchange(release, next);
    }

    @Test
    void aGrantIsExchangedForOneWithAGreaterToken() {
        StoreAccess access = open();
        Resource lock = lockNamed(freshName());
        // A server to which a script of the pair is new may execute the attempt first, which then has to wait.
        Claim known = access.claim(lock, Mode.EXCLUSIVE);
        access.granted(known, true);
        access.release(known);
        Claim first = access.claim(lock, Mode.EXCLUSIVE);
        long token = access.granted(first, true).token();
        Claim next = access.claim(lock, Mode.EXCLUSIVE);
        Exchanged exchanged = exchange(access, first, next);
        assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.RELEASED);
        assertThat(exchanged.answer())
                .isInstanceOfSatisfying(
                        Answer.Granted.class,
                        granted -> assertThat(granted.token()).isGreaterThan(token));
        assertThat(exchanged.releaseFailure()).isNull();
        assertThat(exchanged.attemptFailure()).isNull();
        assertThat(access.release(next)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(access.store().inspect(lock)).isEmpty();
    }

    @Test
    void aClaimThatHoldsNothingIsEndedAndTheOtherAttemptedAllTheSame() {
        StoreAccess access = open();
        StoreAccess other = open();
        Resource lock = lockNamed(freshName());
        Claim theirs = other.claim(lock, Mode.EXCLUSIVE);
        other.granted(theirs, true);
        Exchanged exchanged = exchange(access, access.claim(lock, Mode.EXCLUSIVE), access.claim(lock, Mode.EXCLUSIVE));
        assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(exchanged.answer()).isInstanceOf(Answer.Wait.class);
        assertThat(other.release(theirs)).isEqualTo(Release.Outcome.RELEASED);
        assertThat(access.store().inspect(lock)).isEmpty();
    }

    private static Map<String, Consumer<Network>> faultsOfTheExchange() {
        Map<String, Consumer<Network>> faults = new LinkedHashMap<>();
        faults.put("nothing is lost", network -> {});
        faults.put("the exchange is not sent", network -> network.failBefore(Call.EXCHANGE, 1));
        faults.put("both replies are lost", network -> network.failAfter(Call.EXCHANGE, 1));
        faults.put("the second reply is lost", network -> network.failSecondHalf(1));
        return faults;
    }

    private static Map<String, Consumer<Network>> faultsOfAHalf() {
        Map<String, Consumer<Network>> faults = new LinkedHashMap<>();
        faults.put("only the first half is sent", network -> network.failBefore(Call.ATTEMPT, 1));
        faults.put("the first reply is lost, the second half not sent", network -> network.failAfter(Call.RELEASE, 1));
        return faults;
    }

    @TestFactory
    Stream<DynamicTest> theWaiterIsServedAndNothingIsLeftOverIf() {
        return Stream.concat(
                faultsOfTheExchange().entrySet().stream()
                        .map(fault ->
                                DynamicTest.dynamicTest(fault.getKey(), () -> servesAWaiter(fault.getValue(), true))),
                faultsOfAHalf().entrySet().stream()
                        .map(fault ->
                                DynamicTest.dynamicTest(fault.getKey(), () -> servesAWaiter(fault.getValue(), false))));
    }

    /** Below the store, so that its own exchange meets the fault, and not a request that was split before. */
    private static Map<String, Consumer<Line>> faultsOfTheLine() {
        Map<String, Consumer<Line>> faults = new LinkedHashMap<>();
        faults.put("its line is cut", Line::cut);
        faults.put("its line hangs", Line::hang);
        return faults;
    }

    @TestFactory
    Stream<DynamicTest> theWaiterIsServedOnceTheLineIsHealedIf() {
        Optional<Line> line = fixture().line();
        line.ifPresent(Line::close);
        return faultsOfTheLine().entrySet().stream()
                .filter(fault -> line.isPresent())
                .map(fault -> DynamicTest.dynamicTest(fault.getKey(), () -> servesAWaiterOf(fault.getValue())));
    }

    private void servesAWaiterOf(Consumer<Line> fault) throws Exception {
        Line line = closing(fixture().line().orElseThrow());
        Lockkeeper keeper =
                closing(settings().handOff(HandOff.OFF).commandTimeout(HASTY).open(line.backend()));
        DistributedLock lock = keeper.lock(freshName());
        ExclusiveHold first = take(lock);
        Task<ExclusiveHold> waiter = inThread(lock::acquire);
        awaitParked(waiter);
        fault.accept(line);
        Task<Boolean> releasing = inThread(() -> {
            first.close();
            return true;
        });
        letPass(A_WHILE);
        assertThat(waiter.isDone()).isFalse();
        line.heal();
        assertThat(releasing.get()).isTrue();
        try (ExclusiveHold second = waiter.get()) {
            assertThat(second.token()).isGreaterThan(first.token());
            taken(otherKeeper().lock(lock.name()));
        }
        assertNoTrace(lock.name());
    }

    /** @param asOne whether the fault is about the exchange as one request, and not about a half of it */
    private void servesAWaiter(Consumer<Network> fault, boolean asOne) throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock lock = openKeeper(backend).lock(freshName());
        ExclusiveHold first = take(lock);
        Task<ExclusiveHold> waiter = inThread(lock::acquire);
        awaitParked(waiter);
        long exchanges = backend.network().calls(Call.EXCHANGE);
        fault.accept(backend.network());
        first.close();
        try (ExclusiveHold second = waiter.get()) {
            assertThat(second.token()).isGreaterThan(first.token());
            if (asOne) {
                assertThat(backend.network().calls(Call.EXCHANGE)).isGreaterThan(exchanges);
            }
            taken(otherKeeper().lock(lock.name()));
        }
        backend.network().heal();
        assertNoTrace(lock.name());
    }
}
