package io.lockkeeper.testkit.sim;

import io.lockkeeper.HandOff;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.Acquisition;
import io.lockkeeper.engine.Barging;
import io.lockkeeper.engine.Chore;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ReleaseStep;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.engine.Terms;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A process that uses the library: the real engine and the real driver ({@link Acquisition}), whose steps are taken by
 * events of the simulation instead of threads.
 */
final class SimKeeper {

    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final long CHORE_RETRY = Duration.ofMillis(100).toNanos();

    final String id;
    final SimMachine machine;
    private final SimWorld world;
    private final StoreLink store;
    private final Terms terms;
    private final SimRenewals renewals;
    private final HandOffRuns rows;
    private final SimExchanges pairs;
    private final Map<Resource, ResourceEngine> engines = new LinkedHashMap<>();
    /** How many requests or chores there are for a claim. */
    private final Map<String, Integer> concerned = new HashMap<>();

    /** What other keepers asked for. */
    final SimRecalls recalls;

    private int claims;

    SimKeeper(SimWorld world, String id, SimMachine machine, Function<SimKeeper, StoreLink> link) {
        this.world = world;
        this.id = id;
        this.machine = machine;
        HolderInfo holder = new HolderInfo(id, machine.name, 1, "");
        Plan plan = world.plan;
        this.terms = new Terms(
                holder,
                COMMAND_TIMEOUT,
                world.has(PlantedBug.ROW_WITHOUT_END) ? new HandOff(1_000, Duration.ofHours(1)) : plan.handOff(),
                world.has(PlantedBug.NEWCOMERS_WITHOUT_END) ? new Barging(1_000, Duration.ofHours(1)) : Barging.DEFAULT,
                plan.store() != Plan.StoreKind.QUORUM && plan.handOff().times() > 0,
                plan.pairs(),
                plan.store() != Plan.StoreKind.SESSION,
                () -> this.id + "." + claims++);
        this.rows = new HandOffRuns(plan.handOff());
        this.store = link.apply(this);
        this.pairs = new SimExchanges(world, this, store);
        this.renewals = new SimRenewals(world, this, store);
        this.recalls = new SimRecalls(world, this, store);
    }

    /** Now, by this machine's clocks, or what a planted bug makes of them. */
    Moment now() {
        Moment now = machine.now();
        if (world.has(PlantedBug.MONOTONIC_CLOCK_ONLY)) {
            return new Moment(now.mono(), now.mono());
        } else if (world.has(PlantedBug.WALL_CLOCK_ONLY)) {
            return new Moment(now.wall(), now.wall());
        }
        return now;
    }

    /** Something happens when {@link #now} shows that. */
    void timer(long mono, Runnable what) {
        machine.timer(machine.now().mono() + (mono - now().mono()), what);
    }

    ResourceEngine engine(Resource resource) {
        return engines.computeIfAbsent(resource, r -> new ResourceEngine(r, terms));
    }

    /** Whether this process has still to do with what a store knows under that id. */
    boolean isConcernedWith(String sentAs) {
        return store.concerns(sentAs);
    }

    /** Whether the engine has still to do with a claim: it waits, holds, or is about to end it. */
    boolean knows(String claimId) {
        if (concerned.containsKey(claimId)) {
            return true;
        }
        for (ResourceEngine engine : engines.values()) {
            if (engine.knows(claimId)) {
                return true;
            }
        }
        return false;
    }

    void concern(String claimId, int change) {
        concerned.merge(claimId, change, Integer::sum);
        concerned.remove(claimId, 0);
    }

    boolean isIdle() {
        return engines.isEmpty() && renewals.isEmpty();
    }

    String state() {
        StringBuilder text = new StringBuilder(id);
        engines.forEach((resource, engine) -> text.append(' ')
                .append(resource)
                .append(": ")
                .append(engine.waiting())
                .append(" wait, ")
                .append(engine.grants().size())
                .append(" grants, idle ")
                .append(engine.isIdle()));
        return text.append(concerned).toString();
    }

    // ---------------------------------------------------------------------------------------------------- waiting

    void begin(Resource resource, Acquisition acquisition) {
        ResourceEngine engine = engine(resource);
        int before = engine.waiting();
        acquisition.begin(engine, recalls.believed(engine));
        if (before > 0 && engine.waiting() == before && !acquisition.waiter().triesOnce()) {
            rows.passedBy(engine);
        }
        perform(engine);
    }

    /**
     * Takes a waiter's next step; sends what it has to send.
     *
     * @param wokenAt when it was woken
     * @param afterwards runs when the reply to what was sent has come
     */
    Step next(Resource resource, Acquisition acquisition, Moment wokenAt, Runnable afterwards) {
        ResourceEngine engine = engine(resource);
        Step step = acquisition.next(
                engine, world.has(PlantedBug.TAKER_LOOKS_TOO_EARLY) ? wokenAt : recalls.believedInTurn());
        if (step instanceof Step.Served served) {
            rows.served(now(), served.holding());
        }
        if (step instanceof Step.Attempt attempt) {
            send(engine, acquisition, attempt, afterwards);
        }
        perform(engine);
        return step;
    }

    private void send(ResourceEngine engine, Acquisition acquisition, Step.Attempt attempt, Runnable afterwards) {
        Moment sentAt = now();
        Claim claim = attempt.claim();
        concern(claim.id(), 1);
        world.asked(claim);
        store.attempt(claim, new StoreLink.Reply<>() {
            @Override
            public void answered(Answer answer) {
                world.schedule.trace(() -> id + " hears for " + claim.id() + ": " + answer);
                replied(StoreReply.answered(counted(sentAt), allowed(answer)));
            }

            @Override
            public void failed(RuntimeException failure) {
                world.schedule.trace(() -> id + " hears nothing for " + claim.id());
                replied(StoreReply.failed(sentAt, failure));
            }

            private void replied(StoreReply<Answer> reply) {
                concern(claim.id(), -1);
                acquisition.replied(engine, now(), attempt, reply);
                perform(engine);
                afterwards.run();
            }
        });
    }

    /** A caller was cancelled; what it was given meanwhile goes back. */
    void stop(Resource resource, Acquisition acquisition) {
        ResourceEngine engine = engine(resource);
        EngineHold unwanted = acquisition.stop(engine, now());
        perform(engine);
        if (unwanted != null) {
            release(unwanted);
        }
    }

    /** From when a lease is counted. */
    Moment counted(Moment sentAt) {
        return world.has(PlantedBug.DEADLINE_FROM_REPLY) ? now() : sentAt;
    }

    private Answer allowed(Answer answer) {
        if (world.has(PlantedBug.TOKENS_BEYOND_THE_BLOCK) && answer instanceof Answer.Granted granted) {
            return new Answer.Granted(granted.token(), 1 + terms.handOff().times(), granted.validity());
        }
        return world.has(PlantedBug.NO_DRIFT_MARGIN) && answer instanceof Answer.Granted granted
                ? new Answer.Granted(granted.token(), granted.tokens(), withoutMargin(granted.validity()))
                : answer;
    }

    Exchanged allowed(Exchanged got) {
        Answer answer = got.answer();
        return answer == null
                ? got
                : new Exchanged(got.outcome(), got.releaseFailure(), allowed(answer), got.attemptFailure());
    }

    /** So much more that the engine's margin leaves the whole. */
    static Duration withoutMargin(Duration validity) {
        return validity.plusMillis(2).multipliedBy(100).dividedBy(99);
    }

    void signal(Resource resource) {
        ResourceEngine engine = engines.get(resource);
        if (engine != null) {
            engine.signal(now());
            perform(engine);
        }
    }

    /** Another keeper wants what that claim holds. */
    void asked(Resource resource, String claimId) {
        ResourceEngine engine = engines.get(resource);
        if (engine != null) {
            recalls.asked(engine, claimId);
        }
    }

    void signalAll() {
        for (ResourceEngine engine : List.copyOf(engines.values())) {
            engine.signalAll(now());
            perform(engine);
        }
    }

    /** Whether somebody here counts on a grant of that claim. */
    boolean counts(String claimId) {
        return engines.values().stream()
                .flatMap(engine -> engine.grants().stream())
                .anyMatch(
                        grant -> grant.id().equals(claimId) && !grant.holdings().isEmpty());
    }

    // --------------------------------------------------------------------------------------------- holding, releasing

    void release(EngineHold holding) {
        ResourceEngine engine = engine(holding.resource());
        ReleaseStep giving = engine.release(now(), holding);
        if (giving instanceof ReleaseStep.Stays) {
            rows.kept(now(), holding);
        } else if (giving instanceof ReleaseStep.Send send) {
            send(engine, send);
        }
        perform(engine);
    }

    private void send(ResourceEngine engine, ReleaseStep.Send send) {
        Step.Attempt along = send.next();
        if (along != null) {
            pairs.send(engine, send, along);
            return;
        }
        String claimId = send.release().claimId();
        concern(claimId, 1);
        store.release(send.release(), new StoreLink.Reply<>() {
            @Override
            public void answered(Release.Outcome outcome) {
                concern(claimId, -1);
                world.schedule.trace(() -> id + " released " + claimId + ": " + outcome);
                engine.released(send.grant());
                perform(engine);
            }

            @Override
            public void failed(RuntimeException failure) {
                concern(claimId, -1);
                engine.releaseFailed(now(), send.grant(), failure);
                perform(engine);
            }
        });
    }

    /** Turns a writer's hold into a reader's, or loses it. */
    void downgrade(EngineHold holding, Consumer<EngineHold> then) {
        ResourceEngine engine = engine(holding.resource());
        Grant grant = holding.grant();
        Claim before = engine.narrow(grant, Mode.SHARED);
        concern(before.id(), 1);
        store.narrow(before, Mode.SHARED, new StoreLink.Reply<>() {
            @Override
            public void answered(Boolean held) {
                if (!held) {
                    engine.lose(now(), grant, Loss.Reason.TAKEN);
                }
                succeed();
            }

            @Override
            public void failed(RuntimeException failure) {
                engine.narrowFailed(now(), before, Mode.SHARED);
                succeed();
            }

            private void succeed() {
                concern(before.id(), -1);
                boolean lost = holding.remaining(now()) <= 0;
                then.accept(lost ? holding : engine.succeed(now(), holding));
                perform(engine);
            }
        });
        perform(engine);
    }

    // ---------------------------------------------------------------------------------------------------- background

    /** Does what an engine asked for. */
    void perform(ResourceEngine engine) {
        rows.look(engine);
        for (Effects effects = engine.effects(); effects != null; effects = engine.effects()) {
            effects.begun.forEach(grant -> {
                renewals.add(grant);
                world.begun(this, grant.holdings().get(0));
            });
            effects.woken.forEach(Waiter::wake);
            effects.chores().forEach(chore -> {
                concern(claimOf(chore), 1);
                attend(engine, chore, 0);
            });
            for (Effects.Lost lost : effects.lost()) {
                world.lost(this, lost.loss(), lost.holding());
                if (lost.holding().attachment() instanceof SimUser user) {
                    machine.after(world.threadDelay(), user::lost);
                }
            }
            effects.returned().forEach(send -> send(engine, send));
            for (Grant grant : effects.kept()) {
                timer(grant.keptUntil(), () -> {
                    engine.keptLongEnough(now(), grant);
                    perform(engine);
                });
            }
            effects.ended.forEach(renewals::remove);
            effects.doubted.forEach(renewals::hasten);
        }
        if (engine.isIdle()) {
            engines.values().remove(engine);
            rows.forget(engine);
        }
        renewals.plan();
    }

    private static String claimOf(Chore chore) {
        return chore instanceof Chore.End end
                ? end.release().claimId()
                : ((Chore.Narrow) chore).held().id();
    }

    private void attend(ResourceEngine engine, Chore chore, int tries) {
        if (engine.pointless(now(), chore) || (tries > 0 && world.has(PlantedBug.RELEASE_SENT_ONCE))) {
            settle(engine, chore);
        } else if (chore instanceof Chore.End end) {
            store.release(end.release(), settling(engine, chore, tries));
        } else if (chore instanceof Chore.Narrow narrow) {
            store.narrow(narrow.held(), narrow.to(), settling(engine, chore, tries));
        }
    }

    private <T> StoreLink.Reply<T> settling(ResourceEngine engine, Chore chore, int tries) {
        return new StoreLink.Reply<>() {
            @Override
            public void answered(T answer) {
                world.schedule.trace(() -> id + " settled " + claimOf(chore) + ": " + answer);
                settle(engine, chore);
            }

            @Override
            public void failed(RuntimeException failure) {
                machine.after(CHORE_RETRY << Math.min(tries, 4), () -> attend(engine, chore, tries + 1));
            }
        };
    }

    private void settle(ResourceEngine engine, Chore chore) {
        concern(claimOf(chore), -1);
        engine.settled();
        perform(engine);
    }
}
