package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.TokenPolicy;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** A server around the reference store: its clock, its restarts and its lagging replicas, and what watches it. */
final class LeasedServer implements Server {

    private static final long SECOND = 1_000_000_000L;

    private record Copy(long takenAt, LeasedStore store, PlantedTokens tokens) {}

    private final SimWorld world;
    private final SimMachine machine;
    private final StoreWatch watch;
    private final Deque<Copy> copies = new ArrayDeque<>();
    private LeasedStore store;
    private PlantedTokens tokens = new PlantedTokens();
    private Set<String> holding = Set.of();
    private boolean down;
    private long upSince;

    LeasedServer(SimWorld world, SimMachine machine) {
        this.world = world;
        this.machine = machine;
        this.watch = new StoreWatch(world);
        this.store = empty();
        this.upSince = machine.now().mono() - Duration.ofDays(1).toNanos();
        if (world.plan.troubles().contains(SimFaults.LOSSY_FAILOVERS)) {
            replicate();
        }
    }

    private LeasedStore empty() {
        boolean plain = world.has(PlantedBug.PLAIN_COUNTER)
                || world.has(PlantedBug.GUARD_ACCEPTS_EQUAL)
                || world.has(PlantedBug.STICKY_TOKENS_NOT_RESERVED);
        return new LeasedStore("sim", plain ? TokenPolicy.COUNTER : TokenPolicy.HYBRID_CLOCK);
    }

    private void replicate() {
        copies.add(new Copy(world.schedule.now(), store.copy(), tokens.copy()));
        while (copies.size() > 8) {
            copies.remove();
        }
        world.schedule.after(SECOND / 4, this::replicate);
    }

    @Override
    public SimMachine machine() {
        return machine;
    }

    @Override
    public boolean isDown() {
        return down;
    }

    long now() {
        return machine.now().wall();
    }

    Duration uptime() {
        return Duration.ofNanos(machine.now().mono() - upSince);
    }

    @Override
    public void restart(long downFor, SimFaults kind) {
        if (down) {
            return;
        }
        down = true;
        world.schedule.after(downFor, () -> {
            down = false;
            if (kind == SimFaults.STORE_RESTARTS_EMPTY) {
                store = empty();
                tokens = new PlantedTokens();
                upSince = machine.now().mono();
            } else if (kind == SimFaults.LOSSY_FAILOVERS && !copies.isEmpty()) {
                Copy copy = copies.peek();
                store = copy.store.copy();
                tokens = copy.tokens.copy();
                upSince = machine.now().mono();
            }
            if (kind != SimFaults.STORE_RESTARTS) {
                watch.forgetArrivals();
            }
            world.schedule.trace(() -> machine.name + " is back after " + kind);
            world.reconnected(this);
        });
    }

    Answer attempt(String keeperId, Claim claim) {
        if (world.has(PlantedBug.LAST_COME_FIRST_SERVED)) {
            watch.letLastPass(store, claim, now());
        }
        if (world.has(PlantedBug.READERS_PASS_WRITERS) && claim.mode() instanceof Mode.Shared) {
            watch.letReaderPass(store, claim, now());
        }
        boolean again = watch.isCurrent(claim.id());
        boolean one = world.has(PlantedBug.STICKY_TOKENS_NOT_RESERVED) && claim.sticky();
        Answer answer = store.attempt(keeperId, one ? SimWorld.withOneToken(claim) : claim, now());
        if (world.has(PlantedBug.PERMITS_COUNTED_TWICE) && again && claim.mode() instanceof Mode.Permits) {
            Claim twin = SimWorld.renamed(claim, claim.id() + "-again");
            watch.attempted(this, keeperId, twin, store.attempt(keeperId, twin, now()));
        }
        if (world.has(PlantedBug.BLOCKS_AHEAD_OF_CLOCK) && answer instanceof Answer.Granted granted) {
            answer = tokens.instead(claim, granted, now());
        }
        if (one && answer instanceof Answer.Granted granted) {
            answer = new Answer.Granted(granted.token(), claim.tokens(), granted.validity());
        }
        watch.attempted(this, keeperId, claim, answer);
        deliver();
        return answer;
    }

    /** An attempt that comes in one message with a release. */
    Answer attemptAlong(String keeperId, Claim claim) {
        if (world.has(PlantedBug.PAIR_PASSES_QUEUE)) {
            watch.letLastPass(store, claim, now());
        }
        return attempt(keeperId, claim);
    }

    Release.Outcome release(String keeperId, Release release) {
        List<Long> before = watch.tokens(store, release.resource(), now());
        Release.Outcome outcome = store.release(keeperId, release, now());
        if (world.has(PlantedBug.BARE_DELETE) && outcome == Release.Outcome.NOT_HELD) {
            store.forceRelease(release.resource(), now());
        }
        if (!world.has(PlantedBug.BLOCKS_AHEAD_OF_CLOCK)) {
            watch.released(release, before, watch.tokens(store, release.resource(), now()));
        }
        deliver();
        return outcome;
    }

    List<Renewal> renew(List<Claim> held) {
        List<Renewal> answers = new ArrayList<>(store.renew(held, now()));
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Renewal.Gone) {
                Claim claim = held.get(i);
                if (world.has(PlantedBug.BARE_EXPIRE)) {
                    answers.set(i, new Renewal.Kept(claim.lease(), false));
                } else if (world.has(PlantedBug.RENEWAL_RESURRECTS)) {
                    String keeperId = claim.holder().keeper();
                    if (attempt(keeperId, claim) instanceof Answer.Granted) {
                        answers.set(i, new Renewal.Kept(claim.lease(), false));
                    }
                }
            }
        }
        deliver();
        return answers;
    }

    Renewal raise(Claim held, long token) {
        Renewal answer = store.raise(held, token, now());
        if (answer instanceof Renewal.Kept) {
            watch.raised(held, token);
        }
        deliver();
        return answer;
    }

    boolean narrow(Claim held, Mode to) {
        boolean done = store.narrow(held, to, now());
        deliver();
        return done;
    }

    boolean setLatch(Resource latch, String operation, int count) {
        return store.latchSet(latch, operation, count, now());
    }

    boolean countDown(Resource latch, long generation, String operation) {
        return store.latchCountDown(latch, generation, operation, now());
    }

    LatchStore.State latchState(Resource latch) {
        return store.latchState("", latch, false);
    }

    boolean deleteLatch(Resource latch, long generation) {
        store.latchDelete(latch, generation);
        return true;
    }

    void forceRelease(Resource resource) {
        store.forceRelease(resource, now());
        deliver();
    }

    /** What it holds now, which must fit together and belong to somebody. */
    List<ResourceState> check() {
        List<ResourceState> states = store.list("", now());
        deliver();
        Set<String> granted = new HashSet<>();
        for (ResourceState state : states) {
            watch.check(state);
            for (ResourceState.Grant grant : state.grants()) {
                String claimId = watch.claimOf(state.resource(), grant.token());
                granted.add(claimId == null ? "" : claimId);
            }
            if (world.remembers()) {
                for (ResourceState.Grant grant : state.grants()) {
                    checkOwner(state.resource(), grant);
                }
            }
        }
        holding = granted;
        return states;
    }

    /** The claims that held when it was {@linkplain #check checked} last. */
    Set<String> holding() {
        return holding;
    }

    /** Looks at a copy, so that looking changes nothing. */
    OptionalLong keptFor(Resource resource, String claimId) {
        long now = now();
        return store.copy().inspect(resource, now).stream()
                .flatMap(state -> state.grants().stream())
                .filter(grant -> claimId.equals(watch.claimOf(resource, grant.token())))
                .mapToLong(grant -> grant.remaining().toNanos())
                .findAny();
    }

    private void checkOwner(Resource resource, ResourceState.Grant grant) {
        SimKeeper keeper = world.keeper(grant.holder().keeper());
        String claimId = watch.claimOf(resource, grant.token());
        if (keeper != null && claimId != null && !keeper.isConcernedWith(claimId)) {
            throw new Violation(
                    "I6",
                    "the store holds " + resource + " for claim " + claimId + ", but its keeper " + keeper.id
                            + " has nothing to do with it any more");
        }
    }

    @Override
    public String toString() {
        return store.list("", now()).toString();
    }

    private void deliver() {
        for (LeasedStore.Signal signal : store.drainSignals()) {
            SimKeeper keeper = world.keeper(signal.keeperId());
            if (keeper != null) {
                Runnable told = signal.recalled().isEmpty()
                        ? () -> keeper.signal(signal.resource())
                        : () -> keeper.asked(signal.resource(), signal.recalled());
                world.network.signal(this, keeper.machine, told);
            }
        }
    }
}
