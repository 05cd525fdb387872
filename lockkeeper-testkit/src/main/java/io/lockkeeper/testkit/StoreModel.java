package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.TokenPolicy;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.ModelProgram.Kind;
import io.lockkeeper.testkit.ModelProgram.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares a store with the reference semantics in memory: a random program gets the same answers from both, and the same keepers
 * are told. Tokens differ in their numbers, so of them it is checked that they grow, and that a repeated attempt gets its old one.
 *
 * <p>To the reference no time passes in a program but what {@link Subject#lull} says. A test runs a program again if it took so
 * long that a waiter may count as silent.
 */
public final class StoreModel {

    /** The store under test. */
    public interface Subject {

        /** The store of this keeper, whose id is {@code k} and the number. */
        Store store(int keeper);

        /** Forgets what keepers were told. */
        void forget();

        /** What keepers were told since then; returns when nothing more can come. */
        Set<LeasedStore.Signal> told();

        /** Lets time pass; returns how much, which may be none. */
        Duration lull(Resource resource);
    }

    private final Subject subject;
    private final Resource resource;
    private final LeasedStore model = new LeasedStore("model", TokenPolicy.COUNTER);
    /** The store's token of each grant, by the reference's. */
    private final Map<Long, Long> tokens = new HashMap<>();

    private long now = 1_000_000_000_000L;
    private long newest;

    private StoreModel(Subject subject, Resource resource) {
        this.subject = subject;
        this.resource = resource;
    }

    /** Runs a program on both; returns the first difference and the steps up to it, or null if there is none. */
    public static @Nullable String difference(ModelProgram program, Subject subject) {
        StoreModel comparison = new StoreModel(subject, program.resource());
        List<Step> steps = program.steps();
        for (int i = 0; i < steps.size(); i++) {
            Optional<String> difference = comparison.step(steps.get(i));
            if (difference.isPresent()) {
                return difference.get()
                        + steps.subList(0, i + 1).stream()
                                .map(Step::toString)
                                .collect(Collectors.joining("\n", " after\n", ""));
            }
        }
        return null;
    }

    private Optional<String> step(Step step) {
        subject.forget();
        Optional<String> difference = take(step, "k" + step.keeper(), subject.store(step.keeper()));
        return difference.or(this::signals).or(this::states);
    }

    private Optional<String> take(Step step, String keeper, Store store) {
        Claim claim = step.claim();
        return switch (step.kind()) {
            case ATTEMPT -> attempts(model.attempt(keeper, claim, now), store.attempt(claim));
            case RELEASE, RELEASE_UNANSWERED -> {
                Release release = release(claim, step.kind() == Kind.RELEASE_UNANSWERED);
                yield same(model.release(keeper, release, now), store.release(release));
            }
            case EXCHANGE -> {
                Release release = release(claim, false);
                Release.Outcome outcome = model.release(keeper, release, now);
                Answer answer = model.attempt(keeper, step.next(), now);
                yield exchanges(outcome, answer, ((ExchangeStore) store).exchange(release, step.next()));
            }
            case RENEW ->
                same(
                        kindOf(model.renew(List.of(claim), now).get(0)),
                        kindOf(store.renew(List.of(claim), claim.timeout()).get(0)));
            case NARROW -> {
                Mode to = claim.mode() instanceof Mode.Permits permits
                        ? Mode.permits(Math.min(step.number(), permits.count()), permits.of())
                        : Mode.SHARED;
                yield same(model.narrow(claim, to, now), ((NarrowingStore) store).narrow(claim, to));
            }
            case FORCE -> same(model.forceRelease(resource, now), ((ForceReleaseStore) store).forceRelease(resource));
            case RESIZE -> {
                if (claim.mode() instanceof Mode.Permits) {
                    model.resize(resource, step.number(), now);
                    ((SemaphoreStore) store).resize(resource, step.number());
                }
                yield Optional.empty();
            }
            case LULL -> {
                now += subject.lull(resource).toNanos();
                yield Optional.empty();
            }
            case INSPECT -> Optional.empty();
        };
    }

    private Release release(Claim claim, boolean unanswered) {
        return new Release(resource, claim.id(), claim.lease(), unanswered, claim.timeout());
    }

    private Optional<String> exchanges(Release.Outcome outcome, Answer answer, Exchanged exchanged) {
        Release.Outcome released = exchanged.outcome();
        Answer answered = exchanged.answer();
        if (released == null || answered == null) {
            return Optional.of("an exchange was not answered: " + exchanged);
        }
        return same(outcome, released).or(() -> attempts(answer, answered));
    }

    private Optional<String> attempts(Answer expected, Answer answer) {
        if (expected instanceof Answer.Granted wanted && answer instanceof Answer.Granted granted) {
            Long had = tokens.putIfAbsent(wanted.token(), granted.token());
            boolean right = had == null ? granted.token() > newest : granted.token() == had;
            newest = Math.max(newest, granted.token() + granted.tokens() - 1);
            return right && granted.tokens() <= wanted.tokens()
                    ? Optional.empty()
                    : Optional.of("token " + granted + " after " + had + ", newest " + newest);
        }
        return same(kindOf(expected), kindOf(answer));
    }

    private Optional<String> signals() {
        return same(new HashSet<>(model.drainSignals()), subject.told());
    }

    private Optional<String> states() {
        // The reference takes the occasion to signal, so a copy of it is asked; to look changes nothing in the store.
        return same(
                view(model.copy().inspect(resource, now)), view(subject.store(0).inspect(resource)));
    }

    private static Object kindOf(Answer answer) {
        if (answer instanceof Answer.Wait wait) {
            return "wait, asked " + wait.recalled();
        }
        return answer instanceof Answer.Refused refused ? refused : answer.getClass();
    }

    private static Object kindOf(Renewal renewal) {
        return renewal instanceof Renewal.Kept kept ? "kept, others wait " + kept.othersWait() : renewal.getClass();
    }

    private static Optional<String> view(Optional<ResourceState> state) {
        return state.map(found -> found.waiting() + " wait, size " + found.permits() + ", held by "
                + found.grants().stream()
                        .map(grant -> grant.holder() + (grant.shared() ? " shared " : " ") + grant.permits())
                        .sorted()
                        .toList());
    }

    private static Optional<String> same(Object expected, Object found) {
        return expected.equals(found)
                ? Optional.empty()
                : Optional.of("expected " + expected + " but the store said " + found);
    }
}
