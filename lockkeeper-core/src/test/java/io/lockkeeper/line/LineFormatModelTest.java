package io.lockkeeper.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A line that is written and read between any two steps behaves exactly as one that stays in memory: random programs on
 * both, every answer and every signal must be the same.
 */
class LineFormatModelTest {

    private static final int PROGRAMS = 2_000;
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Resource LOCK = new Resource(Family.LOCK, "orders,42;%");
    private static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "prínters");
    private static final List<Resource> RESOURCES = List.of(LOCK, SEMAPHORE);

    @Test
    void aLineThatIsWrittenAndReadAnswersAsOneThatStaysInMemory() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            String difference = new Run(seed).difference();
            assertThat(difference).as("seed " + seed).isNull();
        }
    }

    @Test
    @Tag("full")
    void aLineThatIsWrittenAndReadAnswersAsOneThatStaysInMemoryInALongRun() {
        for (long seed = PROGRAMS; seed < 500_000; seed++) {
            String difference = new Run(seed).difference();
            assertThat(difference).as("seed " + seed).isNull();
        }
    }

    /**
     * The test of the test: were a field of a record left out, or a kind of record, some program would find it.
     *
     * @param kind the letter of the record
     * @param field which field, from 0; -1 for the whole record
     * @param instead what is written in its place
     */
    @ParameterizedTest
    @CsvSource({
        // last token of the store
        "t, 0, 0",
        // newest token of the line is handled by the content of the grants; the claim last told
        "n, 1, ''",
        // grants: first token, number of tokens, mode, granted at, expires at, sticky, keeper, host, pid, thread, note
        "g, -1, ''",
        "g, 2, 0",
        "g, 3, 1",
        "g, 4, s",
        "g, 5, 0",
        "g, 6, 1z141z3",
        "g, 7, 0",
        "g, 8, 0",
        "g, 9, ''",
        "g, 10, 0",
        "g, 11, ''",
        "g, 12, ''",
        // places: keeper, mode, stamped at
        "q, -1, ''",
        "q, 1, 0",
        "q, 2, x",
        "q, 3, 0",
        // tombstones
        "b, -1, ''",
        "b, 1, 1z141z3",
        // size: permits, used at, set in the store; operations
        "s, 0, 3",
        "s, 1, 0",
        "s, 2, 0",
        "o, -1, ''",
        // endings
        "e, -1, ''",
        "e, 1, e",
    })
    void aFieldThatIsLeftOutIsFound(char kind, int field, String instead) {
        boolean found = false;
        for (long seed = 0; seed < PROGRAMS && !found; seed++) {
            found = new Run(seed)
                            .with((resource, text) -> without(resource, text, kind, field, instead))
                            .difference()
                    != null;
        }
        assertThat(found).as("found in " + PROGRAMS + " programs").isTrue();
    }

    @Test
    void aNewestTokenThatIsForgottenIsFound() {
        boolean found = false;
        for (long seed = 0; seed < PROGRAMS && !found; seed++) {
            found = new Run(seed)
                            .with(LineFormatModelTest::withLeastNewestToken)
                            .difference()
                    != null;
        }
        assertThat(found).isTrue();
    }

    /** The text with a field replaced; as it was if that cannot be read. */
    private static String without(Resource resource, String text, char kind, int field, String instead) {
        String changed = LineTexts.change(resource, text, record -> {
            if (record.charAt(0) != kind) {
                return record;
            }
            if (field < 0) {
                return "";
            }
            String[] fields = record.split(",", -1);
            fields[field + 1] = instead;
            return String.join(",", fields);
        });
        return LineTexts.isReadable(resource, changed) ? changed : text;
    }

    private static String withLeastNewestToken(Resource resource, String text) {
        long least = 0;
        for (String record : LineTexts.records(text)) {
            if (record.startsWith("g,")) {
                String[] fields = record.split(",", -1);
                least = Math.max(least, Long.parseLong(fields[3], 36) + Long.parseLong(fields[4], 36) - 1);
            }
        }
        String newest = Long.toString(least, 36);
        return without(resource, text, 'n', 0, newest);
    }

    private interface Change {
        String of(Resource resource, String text);
    }

    /** One random program on two stores. */
    private static final class Run {

        private final SplittableRandom random;
        private final TokenPolicy policy;
        private final LeasedStore kept;
        private final List<Claim> claims = new ArrayList<>();
        private Change change = (resource, text) -> text;
        private LeasedStore written;
        private long now;

        Run(long seed) {
            this.random = new SplittableRandom(seed);
            this.policy = random.nextBoolean() ? TokenPolicy.COUNTER : TokenPolicy.HYBRID_CLOCK;
            this.now = policy == TokenPolicy.COUNTER ? 0 : 1_763_000_000_000_000_000L;
            this.kept = new LeasedStore("s", policy);
            this.written = new LeasedStore("s", policy);
            for (int i = 0; i < 12; i++) {
                claims.add(randomClaim(i));
            }
        }

        Run with(Change wanted) {
            change = wanted;
            return this;
        }

        private Claim randomClaim(int index) {
            boolean permits = random.nextInt(3) == 0;
            Resource resource = permits ? SEMAPHORE : LOCK;
            Mode mode = permits
                    ? Mode.permits(1 + random.nextInt(3), random.nextInt(4) == 0 ? 0 : 3)
                    : random.nextBoolean() ? Mode.SHARED : Mode.EXCLUSIVE;
            Duration lease =
                    Duration.ofMillis(List.of(1_000, 3_000, 30_000, 90_000).get(random.nextInt(4)));
            HolderInfo holder = new HolderInfo(
                    "K" + index % 4,
                    "höst;" + index,
                    100 + index,
                    "thread %" + index,
                    random.nextBoolean() ? "" : "\0,\ud83d\ude00");
            return Claim.of("c" + index, resource, mode, lease, holder, LIMIT)
                    .withFixed(random.nextInt(5) == 0)
                    .withSticky(random.nextInt(3) == 0)
                    .withTokens(1 + random.nextInt(4))
                    .withQueueing(Claim.Queueing.values()[random.nextInt(3)]);
        }

        /** What is different first; null if nothing is. */
        @Nullable
        String difference() {
            int length = 5 + random.nextInt(60);
            for (int i = 0; i < length; i++) {
                LeasedStore next = new LeasedStore("s", policy);
                for (Resource resource : RESOURCES) {
                    String text = LineFormat.write(written, resource);
                    LineFormat.read(change.of(resource, text), resource, next);
                }
                written = next;
                Step step = randomStep();
                Object expected = step.on(kept);
                Object actual = step.on(written);
                if (!expected.equals(actual)) {
                    return "step " + i + " answered " + actual + " instead of " + expected;
                }
                List<LeasedStore.Signal> signals = kept.drainSignals();
                List<LeasedStore.Signal> after = written.drainSignals();
                if (!signals.equals(after)) {
                    return "step " + i + " signalled " + after + " instead of " + signals;
                }
            }
            return null;
        }

        private interface Step {
            Object on(LeasedStore store);
        }

        private Step randomStep() {
            int index = random.nextInt(claims.size());
            Claim claim = claims.get(index);
            String keeper = "K" + index % 4;
            String other = "K" + random.nextInt(4);
            advance();
            long at = now;
            int dice = random.nextInt(100);
            int number = 1 + random.nextInt(4);
            boolean unanswered = random.nextInt(3) == 0;
            if (dice < 40) {
                return store -> store.attempt(keeper, claim, at);
            } else if (dice < 53) {
                Release release = new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT);
                return store -> store.release(number == 1 ? other : keeper, release, at);
            } else if (dice < 62) {
                return store -> store.renew(List.of(claim), at);
            } else if (dice < 65) {
                return store -> store.extend(claim, at);
            } else if (dice < 78) {
                long token = LineTexts.lastToken(kept, claim.resource()) + number - 3;
                return store -> store.raise(claim, Math.max(1, token), at);
            } else if (dice < 83) {
                Mode to = claim.mode() instanceof Mode.Permits ? Mode.permits(number, 3) : Mode.SHARED;
                return store -> store.narrow(claim, to, at);
            } else if (dice < 85) {
                return store -> store.forceRelease(claim.resource(), at);
            } else if (dice < 88) {
                return store -> {
                    store.resize(SEMAPHORE, number + 1, at);
                    return true;
                };
            } else if (dice < 90) {
                String operation = "o" + random.nextInt(20);
                return store -> number == 1
                        ? store.trySetSize(SEMAPHORE, operation, number + 1, at)
                        : store.addSize(SEMAPHORE, operation, number - 1, 3, at);
            } else if (dice < 91) {
                return store -> {
                    store.clearSize(SEMAPHORE);
                    return store.size(SEMAPHORE);
                };
            } else if (dice < 92) {
                return store -> {
                    store.loseGrants(claim.resource());
                    return store.names();
                };
            } else if (dice < 95) {
                return store -> store.list("", at);
            }
            return store -> store.inspect(claim.resource(), at);
        }

        /** Often exactly at the edges of leases and of liveness, sometimes for a day, sometimes back. */
        private void advance() {
            if (random.nextInt(100) < 30) {
                long millis = List.of(1, 500, 999, 1_000, 1_001, 2_999, 3_000, 29_999, 61_000, 90_000_000, -5_000)
                        .get(random.nextInt(11));
                now += millis * 1_000_000 + random.nextInt(2);
            }
        }
    }
}
