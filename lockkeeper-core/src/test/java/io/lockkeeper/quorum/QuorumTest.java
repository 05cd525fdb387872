package io.lockkeeper.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.rounds.QuorumRules;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a quorum is made, and what it refuses. */
class QuorumTest {

    private static Backend[] members(int count) {
        return IntStream.range(0, count).mapToObj(i -> MemoryBackend.create()).toArray(Backend[]::new);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void lessThanThreeMembersAreRefused(int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quorum.of(members(count)))
                .withMessageContaining("A quorum of " + count + " member")
                .withMessageContaining("3 or more");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void evenNumberIsWarnedOfOnceWithTheOddOneOfEqualTolerance(int count) {
        List<String> warnings = warningsOf(() -> Quorum.of(members(count)));
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("quorum of " + count + " members", "failure of " + (count / 2 - 1), "use " + (count - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7})
    void oddNumberIsNotWarnedOf(int count) {
        assertThat(warningsOf(() -> Quorum.of(members(count)))).isEmpty();
    }

    private static List<String> warningsOf(Runnable action) {
        Logger logger = Logger.getLogger(Quorum.class.getName());
        List<String> messages = new ArrayList<>();
        Thread here = Thread.currentThread();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (Thread.currentThread() == here) {
                    messages.add(java.text.MessageFormat.format(logged.getMessage(), logged.getParameters()));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            action.run();
        } finally {
            logger.removeHandler(handler);
        }
        return messages;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void quorumBelowTheMajorityOrAboveAllIsRefused(int quorum) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quorum.builder()
                        .members(List.of(members(5)))
                        .quorum(quorum)
                        .build())
                .withMessageContaining("cannot be " + quorum)
                .withMessageContaining("from 3");
    }

    @Test
    void quorumMayBeRaised() {
        Quorum quorum = Quorum.builder().members(List.of(members(5))).quorum(4).build();
        assertThat(quorum.rules().quorum()).isEqualTo(4);
    }

    @Test
    void memberTwiceIsRefused() {
        MemoryBackend one = MemoryBackend.create();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quorum.of(one, MemoryBackend.create(), one))
                .withMessageContaining("twice");
    }

    @Test
    void memberThatCannotVoteIsRefused() {
        Backend mute = new Backend() {
            @Override
            public String describe() {
                return "mute:";
            }

            @Override
            public Set<Capability> capabilities() {
                return EnumSet.complementOf(EnumSet.of(Capability.VOTES));
            }

            @Override
            public Store open(Keeper keeper) {
                throw new IllegalStateException("never opened");
            }

            @Override
            public void close() {}
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quorum.of(MemoryBackend.create(), MemoryBackend.create(), mute))
                .withMessageContaining("mute:")
                .withMessageContaining("memory and Redis");
    }

    @Test
    void declaresWhatItCanDo() {
        assertThat(Quorum.of(members(3)).capabilities())
                .containsExactlyInAnyOrder(
                        Capability.SHARED,
                        Capability.PERMITS,
                        Capability.EXTEND,
                        Capability.FORCE_RELEASE,
                        Capability.EXPIRES,
                        Capability.LEASES,
                        Capability.HOLDERS);
    }

    @Test
    void longestLeaseIsTold() {
        Quorum quorum = Quorum.builder()
                .members(List.of(members(3)))
                .longestLease(Duration.ofSeconds(5))
                .build();
        assertThat(quorum.longestLease()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void usablePartOfALeaseIsLessTheDriftOfBothKinds() {
        QuorumRules rules = new QuorumRules(3, 2, 0.02, Duration.ofSeconds(60), Set.of());
        assertThat(rules.usable(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(10_000 - 200 - 2));
    }

    @Test
    void backOffStaysInItsRangeAndGrows() {
        BackOff backOff = BackOff.exponential(Duration.ofMillis(5), Duration.ofMillis(200));
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        for (int failures = 1; failures < 100; failures++) {
            Duration bound = Duration.ofMillis(Math.min(200, failures > 10 ? 200 : 5L * (2L << failures)));
            assertThat(backOff.delay(failures, random)).isBetween(Duration.ofMillis(5), bound);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BackOff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)));
    }
}
