package io.lockkeeper.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs on the store and on a model of its rules; every answer must be the same. */
class LeasedStoreModelTest {

    private static final int SEEDS = 15_000;

    @Test
    void everyAnswerIsTheModels() {
        long start = System.nanoTime();
        run(0, SEEDS);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("Leased store against its model: %,d programs in %.1f s%n", SEEDS, seconds);
    }

    @Test
    @Tag("full")
    void everyAnswerIsTheModelsInALongRun() {
        run(SEEDS, 2_000_000);
    }

    @Test
    void aDifferenceIsFoundAndReducedToItsShortestTrace() {
        // A store whose clock is slow must be found out: the test of the test.
        String failure = null;
        for (long seed = 0; failure == null && seed < 1_000; seed++) {
            Program program = Program.random(seed);
            if (difference(program, program.steps, true) != null) {
                List<Program.Step> shortest = shrink(program, true);
                failure = program.describe(shortest);
                assertThat(shortest.size()).as(failure).isLessThan(10);
            }
        }
        assertThat(failure).isNotNull();
    }

    private static void run(long from, long count) {
        for (long seed = from; seed < from + count; seed++) {
            Program program = Program.random(seed);
            if (difference(program, program.steps, false) != null) {
                List<Program.Step> shortest = shrink(program, false);
                throw new AssertionError("Seed " + seed + ": " + difference(program, shortest, false) + " at the end of"
                        + program.describe(shortest));
            }
        }
    }

    /** Leaves out ever smaller parts as long as a difference remains. */
    private static List<Program.Step> shrink(Program program, boolean slowClock) {
        List<Program.Step> steps = program.steps;
        for (int part = steps.size() / 2; part > 0; ) {
            boolean shorter = false;
            for (int from = 0; from + part <= steps.size(); ) {
                List<Program.Step> less = new ArrayList<>(steps);
                less.subList(from, from + part).clear();
                if (difference(program, less, slowClock) != null) {
                    steps = less;
                    shorter = true;
                } else {
                    from += part;
                }
            }
            part = shorter && part == 1 ? 1 : part / 2;
        }
        return steps;
    }

    /** What is different first; null if nothing is. */
    private static String difference(Program program, List<Program.Step> steps, boolean slowClock) {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        NaiveModel model = new NaiveModel();
        Map<String, Long> silentUntil = new HashMap<>();
        long now = 0;
        for (Program.Step step : steps) {
            Claim claim = program.claim(step);
            String keeper = program.keeper(step);
            Resource resource = claim.resource();
            if (step.kind() == Program.Kind.ADVANCE) {
                now += step.number();
                continue;
            } else if (step.kind() == Program.Kind.SILENCE) {
                silentUntil.put(keeper, now + step.number());
                continue;
            } else if (silentUntil.getOrDefault(keeper, 0L) > now) {
                continue;
            }
            Set<String> could = model.grantableKeepers(resource, now);
            Set<String> concerned = model.queuedKeepers(resource);
            concerned.addAll(model.holdingKeepers(resource, now));
            Object expected = onModel(model, step, keeper, claim, now);
            Object actual = onStore(store, step, keeper, claim, slowClock ? now / 2 : now);
            if (!Objects.equals(expected, actual)) {
                return step + " answered " + actual + " instead of " + expected;
            }
            Set<String> signalled = new HashSet<>();
            for (LeasedStore.Signal signal : store.drainSignals()) {
                // The sweep may notice something about another resource.
                if (signal.resource().equals(resource)) {
                    signalled.add(signal.keeperId());
                }
            }
            Set<String> must = model.grantableKeepers(resource, now);
            must.removeAll(could);
            if (step.kind() == Program.Kind.ATTEMPT) {
                must.remove(keeper);
            }
            concerned.addAll(model.queuedKeepers(resource));
            if (!signalled.containsAll(must) || !concerned.containsAll(signalled)) {
                return step + " signalled " + signalled + " but should at least " + must + ", at most " + concerned;
            }
        }
        return null;
    }

    private static Object onModel(NaiveModel model, Program.Step step, String keeper, Claim claim, long now) {
        return switch (step.kind()) {
            case ATTEMPT -> withoutWords(model.attempt(keeper, claim, now));
            case RELEASE -> model.release(release(step, claim), now);
            case RENEW -> List.of(model.renew(claim, now));
            case NARROW -> model.narrow(claim, narrower(step, claim), now);
            case FORCE -> model.forceRelease(claim.resource(), now);
            case RESIZE -> {
                model.resize(Claims.SEMAPHORE, (int) step.number(), now);
                yield true;
            }
            default -> model.picture(claim.resource(), now);
        };
    }

    private static Object onStore(LeasedStore store, Program.Step step, String keeper, Claim claim, long now) {
        return switch (step.kind()) {
            case ATTEMPT -> withoutWords(store.attempt(keeper, claim, now));
            case RELEASE -> store.release(keeper, release(step, claim), now);
            case RENEW -> store.renew(List.of(claim), now);
            case NARROW -> store.narrow(claim, narrower(step, claim), now);
            case FORCE -> store.forceRelease(claim.resource(), now);
            case RESIZE -> {
                store.resize(Claims.SEMAPHORE, (int) step.number(), now);
                yield true;
            }
            default -> picture(store.inspect(claim.resource(), now).orElse(null));
        };
    }

    private static List<Long> picture(ResourceState state) {
        if (state == null) {
            return List.of(0L);
        }
        List<Long> picture = new ArrayList<>();
        state.grants().forEach(grant -> picture.add(grant.token()));
        picture.add((long) state.waiting());
        return picture;
    }

    private static Answer withoutWords(Answer answer) {
        return answer instanceof Answer.Refused refused ? new Answer.Refused(refused.cause(), "") : answer;
    }

    private static Release release(Program.Step step, Claim claim) {
        return Claims.release(claim, step.number() == 1);
    }

    private static Mode narrower(Program.Step step, Claim claim) {
        return claim.mode() instanceof Mode.Permits ? Mode.permits((int) step.number(), 3) : Mode.SHARED;
    }
}
