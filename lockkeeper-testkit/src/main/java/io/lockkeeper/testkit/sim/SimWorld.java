package io.lockkeeper.testkit.sim;

import io.lockkeeper.Family;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.testkit.sim.Plan.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Everything that exists in a run, and who sees to it that it behaves. */
final class SimWorld {

    /** The size of the semaphore. */
    static final int PERMITS = 3;

    private static final long MILLI = 1_000_000;
    /** True time 0 is some day in 2026. */
    private static final long EPOCH = 1_790_000_000_000_000_000L;

    final Plan plan;
    final Schedule schedule;
    final SimNetwork network;
    final List<Resource> resources = new ArrayList<>();
    final List<Server> servers = new ArrayList<>();
    private final SplittableRandom random;
    private final StoreSide side;
    private final Map<String, SimKeeper> keepers = new LinkedHashMap<>();
    private final List<SimUser> users = new ArrayList<>();
    private final Map<SimFaults, Integer> counts = new EnumMap<>(SimFaults.class);
    private final FencedRegister register;
    private final Beliefs beliefs;
    private final GrantOrder order = new GrantOrder();
    private final boolean remembers;
    private boolean open = true;
    private boolean troubled = true;
    private int born;
    private long grants;
    private long losses;

    SimWorld(Plan plan, boolean tracing) {
        this.plan = plan;
        this.schedule = new Schedule(tracing);
        this.random = new SplittableRandom(plan.seed());
        this.network = new SimNetwork(this, random.split());
        this.register = new FencedRegister(has(PlantedBug.GUARD_ACCEPTS_EQUAL));
        this.beliefs = new Beliefs(SimFaults.leavesLeases(plan));
        this.remembers = SimFaults.leavesMemory(plan.troubles());
        this.side = StoreSide.of(this);
        resources.add(new Resource(Family.LOCK, "a"));
        if (!plan.hot()) {
            if (random.nextBoolean()) {
                resources.add(new Resource(Family.LOCK, "b"));
            }
            if (plan.store() != StoreKind.QUORUM && random.nextBoolean()) {
                resources.add(new Resource(Family.SEMAPHORE, "s"));
            }
        }
        for (int i = 0; i < plan.members(); i++) {
            // Members of a quorum have to agree on the time by less than a lease.
            servers.add(side.server(machine("store" + i, plan.members() > 1 ? 1_000 : 100_000)));
        }
        for (int i = 0; i < plan.keepers(); i++) {
            begin();
        }
        side.begin();
    }

    private SimMachine machine(String name, int bound) {
        int most = Math.min(bound, plan.troubles().contains(SimFaults.WILD_CLOCKS) ? 100_000 : 5_000);
        // Often at the very edge of what is allowed for.
        int rate = random.nextInt(3) == 0 ? (random.nextBoolean() ? most : -most) : random.nextInt(2 * most + 1) - most;
        MachineClock clock = new MachineClock(rate, random.nextLong(1_000_000 * MILLI), EPOCH + random.nextLong(MILLI));
        return new SimMachine(name, clock, schedule);
    }

    /** A new process appears. */
    void begin() {
        String id = "k" + born++;
        SimKeeper keeper = new SimKeeper(this, id, machine(id, 100_000), side::link);
        keepers.put(id, keeper);
        for (int i = 0; i < plan.users(); i++) {
            SimUser user = new SimUser(this, keeper, random.split());
            users.add(user);
            user.think();
        }
    }

    /** A process of the living, by its id. */
    @Nullable
    SimKeeper keeper(String id) {
        SimKeeper keeper = keepers.get(id);
        return keeper == null || keeper.machine.isDead() ? null : keeper;
    }

    List<SimKeeper> living() {
        List<SimKeeper> living = new ArrayList<>(keepers.values());
        living.removeIf(keeper -> keeper.machine.isDead());
        return living;
    }

    SplittableRandom random() {
        return random;
    }

    boolean has(PlantedBug bug) {
        return plan.bug() == bug;
    }

    boolean isOn(SimFaults trouble) {
        return troubled && plan.troubles().contains(trouble);
    }

    void count(SimFaults trouble) {
        counts.merge(trouble, 1, Integer::sum);
    }

    boolean isSemaphore(Resource resource) {
        return resource.family().equals(Family.SEMAPHORE);
    }

    boolean canShare() {
        return true;
    }

    boolean canQueue() {
        return plan.store() != StoreKind.QUORUM;
    }

    /** Whether what the stores were told they still know. */
    boolean remembers() {
        return remembers;
    }

    /** Whether new work is begun. */
    boolean isOpen() {
        return open;
    }

    void heal() {
        troubled = false;
        open = false;
    }

    /** How long it takes from waking a thread until it runs. */
    long threadDelay() {
        if (isOn(SimFaults.SLOW_THREADS) && random.nextInt(100) < 10) {
            count(SimFaults.SLOW_THREADS);
            return random.nextLong(plan.lease().toNanos() * 3 / 2);
        }
        return 1_000 + random.nextLong(50_000);
    }

    /** A server is back after it was away: its clients reconnect and ask for everything. */
    void reconnected(Server server) {
        for (SimKeeper keeper : living()) {
            schedule.after(network.delay(), () -> keeper.machine.run(keeper::signalAll));
        }
    }

    // ------------------------------------------------------------------------------------------------ what is checked

    /** A store granted something new. */
    void granted(Claim claim, Answer.Granted granted) {
        grants++;
        schedule.mix(granted.token());
        order.granted(claim, granted);
        schedule.trace(() -> "granted " + claim.resource() + " " + claim.mode() + " to " + claim.id() + ", token "
                + granted.token() + " x" + granted.tokens());
    }

    void asked(Claim claim) {
        order.asked(claim, schedule.now());
    }

    /** An answer of the store was taken: its first holder holds. */
    void begun(SimKeeper keeper, EngineHold holding) {
        if (!has(PlantedBug.GUARD_ACCEPTS_EQUAL)) {
            order.begun(holding, schedule.now());
        }
        learned(keeper, holding.grant());
        schedule.trace(() ->
                keeper.id + " holds " + holding.resource() + " as " + holding.id() + ", token " + holding.token());
    }

    /**
     * A keeper has just learned until when it has a grant. It must not believe in it for longer than the store keeps it, even
     * if no other keeper is there to take it in between: beliefs overlap only if the next renewals fail as well, and if
     * another keeper comes at that very moment.
     */
    void learned(SimKeeper keeper, Grant grant) {
        OptionalLong kept = beliefs.areBinding() ? side.keptFor(grant.resource(), grant.id()) : OptionalLong.empty();
        long believed = grant.remaining(keeper.now());
        if (kept.isPresent() && believed > kept.getAsLong()) {
            throw new Violation(
                    "I3",
                    keeper.id + " believes in " + grant.id() + " for " + Duration.ofNanos(believed)
                            + ", but the store keeps it for " + Duration.ofNanos(kept.getAsLong()));
        }
    }

    /** A user takes what it was served with at this moment. */
    void given(SimKeeper keeper, EngineHold holding) {
        if (holding.remaining(keeper.machine.now()) <= 0) {
            throw new Violation("I3", keeper.id + " was given " + holding.id() + " after it had ended");
        }
        keeper.recalls.checkGiven(holding);
    }

    /** A user learned of its hold, from the store or from another user, and believes in it from now on. */
    void served(SimKeeper keeper, EngineHold holding) {
        if (!has(PlantedBug.GUARD_ACCEPTS_EQUAL)) {
            order.served(holding);
        }
        beliefs.add(keeper.machine, holding, keeper::now);
    }

    void lost(SimKeeper keeper, Loss loss, EngineHold holding) {
        losses++;
        if (plan.troubles().isEmpty() && holding.grant().renewed()) {
            throw new Violation("I7", keeper.id + " lost " + holding.id() + " though nothing failed: " + loss.reason());
        }
        schedule.trace(() -> keeper.id + " " + loss);
    }

    /** A holder writes to what the lock protects; the write may take its time. */
    void write(EngineHold holding) {
        long delay = random.nextInt(20) == 0 ? random.nextLong(2 * plan.lease().toNanos()) : random.nextLong(2 * MILLI);
        schedule.after(delay, () -> register.write(holding.resource(), holding.token(), holding.id()));
    }

    void check() {
        beliefs.check();
    }

    /**
     * A holder of what the store does not hold must find out within a lease; where requests get through in time, when it recalls
     * next, which is every third of the lease.
     */
    void checkBacked(Set<String> granted) {
        if (!(plan.troubles().contains(SimFaults.SUSPENSIONS) && plan.troubles().contains(SimFaults.WALL_JUMPS_BACK))) {
            boolean calm =
                    Set.of(SimFaults.FORCED_RELEASES, SimFaults.LOST_SIGNALS).containsAll(plan.troubles());
            long lease = calm ? plan.shortest().toNanos() : plan.longest().toNanos();
            long bound = calm ? lease * 5 / 12 + 500 * MILLI : lease * 5 / 4 + 2_000 * MILLI;
            beliefs.checkBacked(granted, schedule.now(), bound);
        }
    }

    /** Somebody ends what is held, by force. */
    void force(Server server, SplittableRandom dice) {
        side.force(server, resources.get(dice.nextInt(resources.size())));
    }

    void cutOffFollower(long duration, SplittableRandom dice) {
        side.cutOffFollower(duration, dice);
    }

    /** Whether a server may lose its memory now without harming a majority. */
    boolean mayLose(Server server) {
        return side.mayLose(server);
    }

    /** What should be there at most now and then, looked at every second. */
    void checkStores() {
        side.check();
        if (troubled) {
            schedule.after(1_000 * MILLI, this::checkStores);
        }
    }

    /** Whether nobody waits or holds any more. */
    boolean isQuiet() {
        for (SimKeeper keeper : living()) {
            if (!keeper.isIdle()) {
                return false;
            }
        }
        return users.stream().noneMatch(user -> user.isWaiting() && user.isAlive());
    }

    /** After everything healed and was given back. */
    void checkEnd() {
        if (!isQuiet()) {
            StringBuilder who = new StringBuilder();
            living().stream()
                    .filter(keeper -> !keeper.isIdle())
                    .forEach(keeper -> who.append("; ").append(keeper.state()));
            throw new Violation("I7", "somebody is still waiting or holding after everything healed; " + servers + who);
        }
        if (!side.isEmpty()) {
            throw new Violation("I6", "something is left in the store after everything was given back");
        }
    }

    Run summary(@Nullable Violation violation) {
        return new Run(
                plan,
                schedule.done(),
                schedule.now(),
                schedule.hash(),
                Map.copyOf(counts),
                grants,
                losses,
                beliefs.overlaps(),
                register.accepted(),
                register.refused(),
                violation,
                List.copyOf(schedule.trace()));
    }

    static Claim renamed(Claim claim, String id) {
        return changed(claim, id, claim.tokens());
    }

    static Claim withOneToken(Claim claim) {
        return changed(claim, claim.id(), 1);
    }

    private static Claim changed(Claim claim, String id, int tokens) {
        return claim.withId(id).withTokens(tokens);
    }
}
