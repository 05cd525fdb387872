package io.lockkeeper.shell;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreState;
import io.lockkeeper.engine.Barging;
import io.lockkeeper.engine.Chore;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ReleaseStep;
import io.lockkeeper.engine.Terms;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that all primitives of a keeper share: the store, the clocks, the threads, and a {@link ResourceSlot} for each
 * resource that is held or waited for in this process.
 *
 * <p>Locks are taken in this order: a slot's, then that of the renewals. Neither is held during a request to the store or
 * while a callback runs. Requests to the store are made by {@link StoreCalls}.
 */
final class KeeperCore implements Keeper {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final String id;
    private final HolderInfo holder;
    private final Settings settings;
    private final Backend backend;
    private final String backendName;
    private final Terms terms;
    private final ConcurrentHashMap<Resource, ResourceSlot> slots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Resource, LatchSlot> latches = new ConcurrentHashMap<>();
    /** Candidates that joined: they work in the background, also if the application has no reference to them. */
    private final Set<LiveElection> candidates = ConcurrentHashMap.newKeySet();

    private final LostLevels lostLevels = new LostLevels();
    /** Fail the futures of callers that poll without a thread, when the keeper is closed. */
    private final Set<Runnable> polls = ConcurrentHashMap.newKeySet();

    private final KeeperThreads workers;
    private final RenewalService renewals;
    private final KeeperTimer alarms;
    private final BackgroundReleases chores;
    private final ReleaseService returns;
    private final KeeperStore store;
    private final StoreCalls calls;
    private final StoreHealth health;
    private final SerialTasks storeEvents;
    private volatile boolean closed;
    private volatile boolean draining;

    KeeperCore(Backend backend, Settings settings) {
        this(backend, settings, null);
    }

    /** @param starter starts threads, for tests in which that fails; null for the ordinary way */
    KeeperCore(Backend backend, Settings settings, @Nullable Consumer<Thread> starter) {
        LeaseRules.checkLongest(settings.lease(), backend);
        ClaimIds random = new ClaimIds();
        Supplier<String> chosen = settings.claimIds();
        Supplier<String> ids = chosen == null ? random : () -> ClaimIds.checked(chosen.get());
        this.id = random.get();
        this.holder = HostInfo.holder(id, settings.note());
        this.settings = settings;
        this.backend = backend;
        this.workers = new KeeperThreads(id, settings.callbacks(), starter, this::later);
        this.storeEvents = new SerialTasks(workers::callback);
        this.backendName = backend.kind();
        this.health = new StoreHealth(backend.describe(), backendName, settings.clocks(), this::tellState);
        this.calls = new StoreCalls(settings.clocks(), health, this::isReachable, this::storeIsBack, this::tellFailed);
        this.renewals = new RenewalService(this, workers::renewal);
        this.alarms = new KeeperTimer(id, settings.clocks(), renewals);
        this.chores = new BackgroundReleases(this);
        this.returns = new ReleaseService(this);
        this.store = new KeeperStore(backend, this, workers::renewal);
        if (!settings.lazy()) {
            store.openNow();
            health.answered();
        }
        // Only now: some backends know what they can do when they have met their server.
        Set<Capability> capabilities = backend.capabilities();
        this.terms = new Terms(
                holder,
                settings.commandTimeout(),
                settings.handOff(),
                Barging.DEFAULT,
                capabilities.contains(Capability.HAND_OFF),
                capabilities.contains(Capability.EXCHANGE),
                capabilities.contains(Capability.LEASES),
                ids);
        boolean started = false;
        try {
            alarms.start();
            if (settings.lazy()) {
                store.prepare();
            }
            started = true;
        } finally {
            if (!started) {
                // No keeper without a timer: it could not tell of any loss.
                store.close();
            }
        }
    }

    private boolean later(Duration delay, Runnable task) {
        if (alarms.isClosed()) {
            return false;
        }
        alarms.in(delay, task);
        return true;
    }

    // -------------------------------------------------------------------------------------------- what the store sees

    @Override
    public String id() {
        return id;
    }

    @Override
    public HolderInfo holder() {
        return holder;
    }

    @Override
    public Duration lease() {
        return settings.lease();
    }

    @Override
    public Duration commandTimeout() {
        return settings.commandTimeout();
    }

    @Override
    public Clocks clocks() {
        return settings.clocks();
    }

    @Override
    public void signal(Resource resource) {
        LatchSlot latch = latches.get(resource);
        if (latch != null) {
            latch.signal();
        }
        at(resource, slot -> slot.engine.signal(now()));
    }

    @Override
    public void recall(Resource resource, String claimId) {
        at(resource, slot -> slot.engine.recall(claimId));
    }

    @Override
    public void signalAll() {
        for (Resource resource : slots.keySet()) {
            at(resource, slot -> slot.engine.signalAll(now()));
        }
        latches.values().forEach(LatchSlot::signal);
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        ResourceSlot slot = slots.get(resource);
        if (slot == null) {
            return false;
        }
        slot.lock.lock();
        try {
            return slot.engine.knows(claimId);
        } finally {
            slot.lock.unlock();
        }
    }

    // ------------------------------------------------------------------------------------------------------- the parts

    Moment now() {
        return settings.clocks().now();
    }

    Settings settings() {
        return settings;
    }

    Backend backend() {
        return backend;
    }

    /** The kind of store, for reports. */
    String backendName() {
        return backendName;
    }

    KeeperStore store() {
        return store;
    }

    Terms terms() {
        return terms;
    }

    /** Where requests to the store are made. */
    StoreCalls calls() {
        return calls;
    }

    KeeperThreads workers() {
        return workers;
    }

    KeeperTimer alarms() {
        return alarms;
    }

    /** Sends what no caller waits for. */
    BackgroundReleases chores() {
        return chores;
    }

    /** Releases, extends and narrows holds. */
    ReleaseService returns() {
        return returns;
    }

    Set<LiveElection> candidates() {
        return candidates;
    }

    Set<Runnable> polls() {
        return polls;
    }

    ConcurrentHashMap<Resource, LatchSlot> latches() {
        return latches;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether nothing new is acquired any more: the keeper is being drained, or is closed. */
    boolean refusesNew() {
        return draining || closed;
    }

    void beginDraining() {
        draining = true;
    }

    /** Why nothing new is acquired. */
    KeeperClosedException refusal() {
        return closed
                ? closedException()
                : new KeeperClosedException("The keeper on " + backend.describe()
                        + " is being drained, since its process shuts down; it acquires nothing new");
    }

    KeeperClosedException closedException() {
        return new KeeperClosedException("The keeper on " + backend.describe() + " was closed; open a new one");
    }

    // --------------------------------------------------------------------------------------------- slots and effects

    /** The slot of a resource, locked; {@link #leave} unlocks it. */
    ResourceSlot enter(Resource resource) {
        while (true) {
            ResourceSlot slot = slots.get(resource);
            if (slot == null) {
                slot = slots.computeIfAbsent(resource, missing -> new ResourceSlot(missing, terms, lostLevels));
            }
            slot.lock.lock();
            if (!slot.removed) {
                return slot;
            }
            slot.lock.unlock();
        }
    }

    /**
     * Unlocks a slot, then performs the effects of what was done there.
     *
     * @param except the waiter that calls this, which needs no wake-up
     */
    void leave(ResourceSlot slot, @Nullable Waiter except) {
        Effects effects = slot.engine.effects();
        if (effects != null) {
            renewals.update(effects);
        }
        if (slot.isIdle()) {
            slot.removed = true;
            slots.remove(slot.resource, slot);
        }
        slot.lock.unlock();
        if (effects != null) {
            perform(slot.resource, effects, except);
        }
    }

    /** Does something at a slot, unless it was removed. */
    private <T extends @Nullable Object> T with(ResourceSlot slot, T absent, Function<ResourceSlot, T> what) {
        slot.lock.lock();
        if (slot.removed) {
            slot.lock.unlock();
            return absent;
        }
        try {
            return what.apply(slot);
        } finally {
            leave(slot, null);
        }
    }

    /** Does something at the slot of a resource, if there is one. */
    @SuppressWarnings("NullAway") // The result is null where there is none.
    void at(Resource resource, Consumer<ResourceSlot> what) {
        at(resource, null, slot -> {
            what.accept(slot);
            return null;
        });
    }

    /**
     * Does something at the slot of a resource, if there is one, and returns its result.
     *
     * @param absent the result if there is none
     */
    <T extends @Nullable Object> T at(Resource resource, T absent, Function<ResourceSlot, T> what) {
        ResourceSlot slot = slots.get(resource);
        return slot == null ? absent : with(slot, absent, what);
    }

    /** Performs each effect, even if one before it fails. */
    private void perform(Resource resource, Effects effects, @Nullable Waiter except) {
        for (Waiter waiter : effects.woken) {
            if (waiter != except) {
                guarded(resource, waiter::wake);
            }
        }
        for (Chore chore : effects.chores()) {
            guarded(resource, () -> chores.take(resource, chore));
        }
        for (Grant grant : effects.kept()) {
            guarded(
                    resource,
                    () -> alarms.at(
                            grant.keptUntil(), () -> at(resource, slot -> slot.engine.keptLongEnough(now(), grant))));
        }
        for (ReleaseStep.Send send : effects.returned()) {
            guarded(resource, () -> workers.request(() -> returns.send(send)));
        }
        for (Effects.Lost lost : effects.lost()) {
            guarded(resource, () -> tellLost(lost.holding(), lost.loss()));
        }
    }

    /** An error here, such as a lack of memory, concerns one waiter or holder; those after it must be told all the same. */
    private static void guarded(Resource resource, Runnable effect) {
        try {
            effect.run();
        } catch (RuntimeException | Error unexpected) {
            LOG.log(System.Logger.Level.ERROR, "An effect on " + resource + " could not be performed", unexpected);
        }
    }

    private void tellLost(EngineHold holding, Loss loss) {
        HoldRecord record = HoldRecord.of(holding);
        if (record == null) {
            // Handed to a waiter that never took it, and waits on.
            return;
        }
        Object owner = holding.owner();
        if (owner != null) {
            at(holding.resource(), slot -> slot.settle(now(), owner));
        }
        // First, so that a recording has it before the application, once notified, can end the recording.
        FlightLog.lost(loss, backendName);
        workers.callback(() -> record.lost(loss));
        boolean expected = switch (loss.reason()) {
            case KEEPER_CLOSED, FORGOTTEN -> true; // The second was reported with its place.
            case EXPIRED -> !holding.grant().renewed();
            default -> false;
        };
        if (!expected) {
            // On another thread: this may be the timer, which a slow log must not delay.
            workers.own(() -> LOG.log(System.Logger.Level.WARNING, "Keeper {0} {1}", id.substring(0, 6), loss));
        }
        AcquisitionReport report = record.report();
        if (report != null) {
            report.lost(holding, loss, record);
        }
    }

    /** A holder noticed before the timer that its deadline has passed. */
    void noticeEnd(EngineHold holding) {
        workers.request(() -> at(holding.resource(), slot -> slot.engine.expire(now(), holding.grant())));
    }

    void lose(EngineHold holding, Loss.Reason reason) {
        at(holding.resource(), slot -> slot.engine.lose(now(), holding, reason));
    }

    private boolean isReachable() {
        return store.isReachable();
    }

    private void storeIsBack() {
        chores.storeIsBack();
    }

    private void tellFailed(Resource resource, RuntimeException failure) {
        KeeperListener listener = settings.listener();
        if (listener != null) {
            workers.callback(() -> listener.storeFailed(new Events.StoreFailed(backendName, resource, failure)));
        }
    }

    private void tellState(KeeperEvent.StoreStateChanged event) {
        KeeperListener listener = settings.listener();
        if (listener != null) {
            storeEvents.add(() -> listener.storeStateChanged(event));
        }
    }

    StoreState storeState() {
        return health.state();
    }

    /** The id by which the store knows itself. */
    String storeId() {
        return ask(store::storeId);
    }

    /** Makes a request to the store on the caller's thread; refused once the keeper is closed. */
    <T extends @Nullable Object> T ask(Supplier<T> request) {
        if (closed) {
            throw closedException();
        }
        return calls.ask(request);
    }

    /** Whether no request is under way and nothing is left to give back. */
    boolean isSettled() {
        for (ResourceSlot slot : slots()) {
            slot.lock.lock();
            try {
                if (!slot.removed && !slot.engine.isIdle()) {
                    return false;
                }
            } finally {
                slot.lock.unlock();
            }
        }
        return true;
    }

    List<ResourceSlot> slots() {
        return List.copyOf(slots.values());
    }

    // ------------------------------------------------------------------------------------------------------- closing

    /** Fails the waiters, gives back what is held, and stops. */
    void close(boolean closeBackend) {
        closed = true;
        for (Resource resource : List.copyOf(slots.keySet())) {
            at(resource, slot -> {
                slot.engine.failAll(now(), closedException());
                for (Grant grant : slot.engine.grants()) {
                    slot.engine.lose(now(), grant, Loss.Reason.KEEPER_CLOSED);
                }
            });
        }
        latches.values().forEach(LatchSlot::close);
        polls.forEach(workers::callback);
        chores.finish(settings.commandTimeout().multipliedBy(3));
        alarms.close();
        workers.close(settings.commandTimeout().multipliedBy(2));
        store.close();
        if (closeBackend) {
            backend.close();
        }
    }
}
