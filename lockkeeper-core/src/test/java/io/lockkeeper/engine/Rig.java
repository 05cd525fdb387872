package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Drives an engine by hand: moments, ids and the store's answers are the test's; effects are gathered. */
final class Rig {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Resource RESOURCE = new Resource(Family.LOCK, "orders/42");
    static final AcquireRequest EXCLUSIVE = request(Mode.EXCLUSIVE);
    static final AcquireRequest SHARED = request(Mode.SHARED);
    static final AcquireRequest FAIR = new AcquireRequest(Mode.EXCLUSIVE, LEASE, false, true, false);

    final ResourceEngine engine;
    final List<String> ids = new ArrayList<>();
    final List<Waiter> woken = new ArrayList<>();
    final List<Chore> chores = new ArrayList<>();
    final List<Effects.Lost> lost = new ArrayList<>();
    final List<Grant> begun = new ArrayList<>();
    final List<Grant> ended = new ArrayList<>();
    final List<Grant> doubted = new ArrayList<>();
    final List<Grant> kept = new ArrayList<>();
    final List<ReleaseStep.Send> returned = new ArrayList<>();
    private Moment now = new Moment(1_000, 2_000_000);

    Rig() {
        this(HandOff.DEFAULT, true);
    }

    Rig(HandOff handOff, boolean canHandOff) {
        this(handOff, Barging.OFF, canHandOff, false);
    }

    Rig(HandOff handOff, Barging barging, boolean canHandOff, boolean exchanges) {
        this(handOff, barging, canHandOff, exchanges, true);
    }

    Rig(HandOff handOff, Barging barging, boolean canHandOff, boolean exchanges, boolean leases) {
        Terms terms = new Terms(
                new HolderInfo("keeper", "host", 1, ""),
                Duration.ofSeconds(1),
                handOff,
                barging,
                canHandOff,
                exchanges,
                leases,
                this::newId);
        this.engine = new ResourceEngine(RESOURCE, terms);
    }

    static AcquireRequest request(Mode mode) {
        return new AcquireRequest(mode, LEASE, false, false, false);
    }

    static AcquireRequest request(Duration lease) {
        return new AcquireRequest(Mode.EXCLUSIVE, lease, false, false, false);
    }

    private String newId() {
        ids.add("id" + (ids.size() + 1));
        return ids.get(ids.size() - 1);
    }

    // ------------------------------------------------------------------------------------------------------- time

    Moment now() {
        return now;
    }

    void pass(Duration time) {
        pass(time, time);
    }

    void pass(Duration mono, Duration wall) {
        now = new Moment(now.mono() + mono.toNanos(), now.wall() + wall.toNanos());
    }

    // ---------------------------------------------------------------------------------------------------- waiters

    Waiter waiter(AcquireRequest request) {
        return new Waiter(request, false, null, null, () -> {});
    }

    Waiter arrive(AcquireRequest request) {
        return arrive(waiter(request));
    }

    Waiter arrive(Waiter waiter) {
        engine.arrive(now, waiter);
        return waiter;
    }

    /** A waiter that tries once. */
    Waiter tries(AcquireRequest request) {
        return arrive(new Waiter(request, true, null, null, () -> {}));
    }

    Step turn(Waiter waiter) {
        return engine.turn(now, waiter);
    }

    Step.Attempt attempt(Waiter waiter) {
        Step step = turn(waiter);
        assertThat(step).as("the next step").isInstanceOf(Step.Attempt.class);
        return (Step.Attempt) step;
    }

    void waitsUntilWoken(Waiter waiter) {
        assertThat(turn(waiter)).isEqualTo(Step.Park.UNTIL_WOKEN);
    }

    Duration parked(Waiter waiter) {
        Step step = turn(waiter);
        assertThat(step).isInstanceOf(Step.Park.class);
        return Duration.ofNanos(((Step.Park) step).until() - now.mono());
    }

    EngineHold holds(Waiter waiter) {
        Step step = turn(waiter);
        assertThat(step).as("the next step").isInstanceOf(Step.Served.class);
        return ((Step.Served) step).holding();
    }

    // --------------------------------------------------------------------------------------------- what it is told

    void granted(Step.Attempt attempt, long token, int tokens) {
        granted(attempt, now, token, tokens);
    }

    void granted(Step.Attempt attempt, Moment sentAt, long token, int tokens) {
        Duration lease = attempt.claim().lease();
        engine.answered(now, attempt.pending(), attempt.claim(), sentAt, new Answer.Granted(token, tokens, lease));
        gather();
    }

    void told(Step.Attempt attempt, Answer answer) {
        engine.answered(now, attempt.pending(), attempt.claim(), now, answer);
        gather();
    }

    void mustWait(Step.Attempt attempt) {
        told(attempt, new Answer.Wait(Duration.ofSeconds(20)));
    }

    void unanswered(Step.Attempt attempt) {
        engine.failed(now, attempt.pending(), new StoreUnavailableException("no answer"));
        gather();
    }

    /** A waiter arrives and gets a grant with this many tokens. */
    EngineHold acquire(AcquireRequest request, long token, int tokens) {
        Waiter waiter = arrive(request);
        granted(attempt(waiter), token, tokens);
        return holds(waiter);
    }

    void leaves(Waiter waiter) {
        assertThat(engine.leave(now, waiter)).isNull();
        gather();
    }

    ReleaseStep release(EngineHold holding) {
        ReleaseStep giving = engine.release(now, holding);
        gather();
        return giving;
    }

    /** Releases to the store, which answers. */
    Release giveBack(EngineHold holding) {
        ReleaseStep giving = release(holding);
        assertThat(giving).isInstanceOf(ReleaseStep.Send.class);
        ReleaseStep.Send send = (ReleaseStep.Send) giving;
        engine.released(send.grant());
        gather();
        return send.release();
    }

    HoldState state(EngineHold holding) {
        return holding.state(now);
    }

    /** All chores so far are done. */
    List<Chore> settle() {
        gather();
        List<Chore> done = List.copyOf(chores);
        done.forEach(chore -> engine.settled());
        chores.clear();
        return done;
    }

    /** The one end of a claim that is to be settled in the background. */
    Release ending() {
        gather();
        assertThat(chores).hasSize(1);
        Release release = ((Chore.End) chores.get(0)).release();
        settle();
        return release;
    }

    void gather() {
        Effects effects = engine.effects();
        if (effects != null) {
            woken.addAll(effects.woken);
            chores.addAll(effects.chores());
            lost.addAll(effects.lost());
            begun.addAll(effects.begun);
            ended.addAll(effects.ended);
            doubted.addAll(effects.doubted);
            kept.addAll(effects.kept());
            returned.addAll(effects.returned());
        }
    }

    boolean wasWoken(Waiter waiter) {
        gather();
        boolean was = woken.contains(waiter);
        woken.clear();
        return was;
    }

    void nothingIsLeft() {
        gather();
        assertThat(chores).as("chores").isEmpty();
        assertThat(engine.isIdle()).as("idle").isTrue();
        assertThat(engine.grants()).isEmpty();
        assertThat(engine.waiting()).isZero();
        assertThat(begun).as("grants begun, all ended").isSubsetOf(ended);
    }
}
