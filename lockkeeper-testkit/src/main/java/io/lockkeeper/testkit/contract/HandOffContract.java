package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handing a grant on inside a process: as exclusive, as ordered and as bounded as if the store did it. */
public abstract class HandOffContract extends ContractTest {
    private static final int THREADS = 16;
    private static final int ROUNDS = 25;

    /** Which tokens came from another holder of the same process. */
    private static final class Recorder implements KeeperListener {
        final Map<Long, Boolean> handedOn = new ConcurrentSkipListMap<>();

        @Override
        public void acquired(KeeperEvent.Acquired event) {
            handedOn.put(event.token(), event.handedOff());
        }

        int longestRun() {
            int longest = 0;
            int run = 0;
            for (boolean handed : handedOn.values()) {
                run = handed ? run + 1 : 0;
                longest = Math.max(longest, run);
            }
            return longest;
        }
    }

    /** Many threads on one lock; what they see under it, in order. */
    private List<Long> contend(DistributedLock lock) throws Exception {
        List<Long> tokens = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        List<Task<Boolean>> tasks = new ArrayList<>();
        // Somebody else has it until all are there.
        ExclusiveHold theirs = take(otherKeeper().lock(lock.name()));
        for (int i = 0; i < THREADS; i++) {
            tasks.add(inThread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (ExclusiveHold hold = lock.acquire()) {
                        tokens.add(hold.token());
                        ids.add(hold.id());
                        hold.ensureHeld();
                    }
                }
                return true;
            }));
        }
        tasks.forEach(this::awaitParked);
        theirs.close();
        untilDone(tasks);
        for (Task<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        assertThat(tokens).hasSize(THREADS * ROUNDS).isSorted().doesNotHaveDuplicates();
        assertThat(ids).hasSize(THREADS * ROUNDS);
        assertNoTrace(lock.name());
        return tokens;
    }

    @Test
    void manyThreadsOnOneLockCountExactlyInOrderOfTokens() throws Exception {
        Recorder recorder = new Recorder();
        FaultyBackend counted = faulty();
        Lockkeeper mine = openKeeper(counted, settings -> settings.listener(recorder));
        List<Long> tokens = contend(mine.lock(freshName()));
        assertThat(recorder.handedOn.keySet()).containsExactlyElementsOf(tokens);
        if (can(Capability.HAND_OFF)) {
            assertThat(recorder.handedOn).containsValue(true);
            assertThat(recorder.longestRun()).isLessThanOrEqualTo(HandOff.DEFAULT.times());
            assertThat(counted.network().calls(Call.RELEASE)).isLessThan(tokens.size());
        } else {
            assertThat(recorder.handedOn).doesNotContainValue(true);
        }
    }

    @Test
    void withoutHandOffEveryReleaseGoesToTheStore() throws Exception {
        Recorder recorder = new Recorder();
        FaultyBackend counted = faulty();
        Lockkeeper mine =
                openKeeper(counted, settings -> settings.listener(recorder).handOff(HandOff.OFF));
        List<Long> tokens = contend(mine.lock(freshName()));
        assertThat(recorder.handedOn).hasSize(tokens.size()).doesNotContainValue(true);
        assertThat(counted.network().calls(Call.RELEASE)).isGreaterThanOrEqualTo(tokens.size());
    }

    @Test
    void itGoesBackToTheStoreAfterAsManyTimesAsAllowed() throws Exception {
        Recorder recorder = new Recorder();
        Lockkeeper mine =
                openKeeper(settings -> settings.listener(recorder).handOff(new HandOff(3, Duration.ofMinutes(1))));
        contend(mine.lock(freshName()));
        assertThat(recorder.longestRun()).isLessThanOrEqualTo(3);
    }

    @Test
    void fixedLeasesAreNeverHandedOn() throws Exception {
        Recorder recorder = new Recorder();
        Lockkeeper mine = openKeeper(settings -> settings.listener(recorder));
        contend(mine.lock(freshName()).withFixedLease(Duration.ofSeconds(30)));
        assertThat(recorder.handedOn).hasSize(THREADS * ROUNDS).doesNotContainValue(true);
    }

    @TestIfOffered(Capability.PORTABLE)
    void portableHoldsAreNeverHandedOn() throws Exception {
        Recorder recorder = new Recorder();
        Lockkeeper mine = openKeeper(settings -> settings.listener(recorder));
        DistributedLock lock = mine.lock(freshName());
        contend(lock.portable());
        assertThat(recorder.handedOn).hasSize(THREADS * ROUNDS).doesNotContainValue(true);
    }

    // A hold is only handed to a waiter with the same lease; the others still get their own from the store.
    @Test
    void waitersWithDifferentLeasesAreAllServedWithTheirOwn() throws Exception {
        String name = freshName();
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Duration lease = Duration.ofSeconds(i % 2 == 0 ? 10 : 40);
            tasks.add(inThread(() -> {
                boolean own = true;
                for (int round = 0; round < 10; round++) {
                    try (SingleHold hold = keeper().lock(name).withLease(lease).acquire()) {
                        own &= !can(Capability.EXPIRES)
                                || (hold.remaining().compareTo(lease) <= 0
                                        && hold.remaining().compareTo(LeaseTimes.renewEvery(lease)) >= 0);
                    }
                }
                return own;
            }));
        }
        untilDone(tasks);
        for (Task<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        assertNoTrace(name);
    }

    // Were a grant handed on without bound, the other keeper would wait forever; were it taken away without one, the
    // busy.
    @Test
    void twoKeepersDoNotStarveEachOtherHoweverBusyOneIs() throws Exception {
        String name = freshName();
        AtomicBoolean stop = new AtomicBoolean();
        List<AtomicInteger> served = new ArrayList<>();
        List<Task<Boolean>> busy = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            AtomicInteger rounds = new AtomicInteger();
            served.add(rounds);
            busy.add(inThread(() -> {
                while (!stop.get()) {
                    // Long enough for the others to be back in the queue, so that there is always one to hand it to.
                    keeper().lock(name).run(hold -> letPass(Duration.ofMillis(1)));
                    rounds.incrementAndGet();
                    breathe();
                }
                return true;
            }));
        }
        try {
            for (int turn = 1; turn <= 3; turn++) {
                List<Integer> before = served.stream().map(AtomicInteger::get).toList();
                eventually("each thread of the busy keeper goes on", () -> areBeyond(before, served));
                held(otherKeeper().lock(name).tryAcquire(PATIENCE)).close();
            }
        } finally {
            stop.set(true);
        }
        for (Task<Boolean> task : busy) {
            assertThat(task.get()).isTrue();
        }
        assertNoTrace(name);
    }

    private static boolean areBeyond(List<Integer> before, List<AtomicInteger> now) {
        for (int i = 0; i < before.size(); i++) {
            if (now.get(i).get() <= before.get(i)) {
                return false;
            }
        }
        return true;
    }
}
