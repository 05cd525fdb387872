package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Acquirable;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.ManualClocks;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What all contracts need. One fixture per class; its cases run at once, each on {@linkplain #freshName names of its own},
 * so what a case does to the whole store must not harm the others: faults between keeper and store go through a {@link
 * #faulty() network of the case's own}, and contracts that stop the server itself run their cases one by one.
 *
 * <p>Keepers, threads and child processes that a case starts through this class end with the class at the latest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ContractTest extends TimedTest implements Contract {

    /** The lease of cases that are not {@linkplain AboutTime about time}: no stall of the machine ends it. */
    private static final Duration UNHURRIED = Duration.ofMinutes(1);

    /** How long a request may take where its limit is not what a case is about; machines that test are busy. */
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    /** How long a request may take where a case waits for the end of one that is never answered. */
    protected static final Duration HASTY = Duration.ofSeconds(2);

    private final List<AutoCloseable> toClose = new CopyOnWriteArrayList<>();
    private @Nullable BackendFixture fixture;
    private @Nullable Lockkeeper keeper;
    private @Nullable Lockkeeper otherKeeper;

    @BeforeAll
    void openFixture() throws Exception {
        fixture = newFixture();
        keeper = settings().open(fixture().backend());
        otherKeeper = settings().open(fixture().backend());
    }

    private static void close(@Nullable Lockkeeper opened) {
        if (opened != null) {
            opened.close();
        }
    }

    /** In virtual time cases run one by one, and none is to be held up by what another one left. */
    @AfterEach
    void closeCase() throws Exception {
        if (clocks() instanceof ManualClocks) {
            closeOpened();
        }
    }

    private void closeOpened() throws Exception {
        for (AutoCloseable network : toClose) {
            if (network instanceof FaultyBackend) {
                network.close();
            }
        }
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
        toClose.clear();
    }

    @AfterAll
    void closeAll() throws Exception {
        closeOpened();
        close(keeper);
        close(otherKeeper);
        if (fixture != null) {
            fixture.close();
        }
    }

    @Override
    final Clocks clocks() {
        return fixture().clocks();
    }

    /** Settings of a keeper whose requests are given up late, with the clocks of the store. */
    final LockkeeperBuilder settings() {
        return Lockkeeper.builder().lease(UNHURRIED).commandTimeout(GENEROUS).clocks(clocks());
    }

    // ---- the store

    protected final BackendFixture fixture() {
        return opened(fixture);
    }

    /** A keeper on the store, shared by the cases of the class. */
    protected final Lockkeeper keeper() {
        return opened(keeper);
    }

    /** A second keeper on the same store, as another process would have it. */
    protected final Lockkeeper otherKeeper() {
        return opened(otherKeeper);
    }

    /** One more keeper on the store. */
    protected final Lockkeeper openKeeper() {
        return openKeeper(settings -> settings);
    }

    /** One more keeper on the store, with settings. */
    protected final Lockkeeper openKeeper(UnaryOperator<LockkeeperBuilder> settings) {
        return closing(settings.apply(settings()).open(fixture().backend()));
    }

    /** The same store behind a network that this case may break; open keepers on it with {@link #openKeeper(FaultyBackend)}. */
    protected final FaultyBackend faulty() {
        return closing(fixture()
                .line()
                .map(line -> new FaultyBackend(closing(line)))
                .orElseGet(() -> new FaultyBackend(fixture().backend())));
    }

    /** A keeper behind a network that may break. */
    protected final Lockkeeper openKeeper(FaultyBackend backend) {
        return openKeeper(backend, settings -> settings);
    }

    /** A keeper behind a network that may break, with settings. */
    protected final Lockkeeper openKeeper(FaultyBackend backend, UnaryOperator<LockkeeperBuilder> settings) {
        return closing(settings.apply(settings()).open(backend));
    }

    /** A keeper that soon gives a request up that is not answered. */
    protected final Lockkeeper openHastyKeeper(FaultyBackend backend) {
        return openKeeper(backend, settings -> settings.commandTimeout(HASTY));
    }

    /** Closed at the end of the class, the last first. */
    protected final <C extends AutoCloseable> C closing(C closeable) {
        toClose.add(closeable);
        return closeable;
    }

    protected final boolean can(Capability capability) {
        return fixture().capabilities().contains(capability);
    }

    protected final boolean can(Fault fault) {
        return fixture().faults().contains(fault);
    }

    /** The other branch of {@link #can(Capability)}: the call fails, saying what is not offered and who offers it. */
    protected final void assertNotOffered(Capability capability, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining(capability.what())
                .hasMessageContaining(capability.offeredBy());
    }

    /**
     * The lease for cases {@linkplain AboutTime about time}. A case that is not marked so fails here: on a real store it would run
     * beside others, and a stall of the machine could end its lease.
     */
    protected final Duration lease() {
        AboutTimeCheck.check();
        return fixture().lease();
    }

    /** A lease for cases that wait for its end and in which nothing has to be done in time. */
    protected final Duration brief() {
        return lease().dividedBy(2);
    }

    /** It was not lost, though it may be waiting for an answer just now. */
    protected static void assertKept(SingleHold hold) {
        assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
    }

    // ---- names

    /** A name that nobody else uses. */
    protected static String freshName() {
        return "contract/" + UUID.randomUUID();
    }

    protected static Resource lockNamed(String name) {
        return new Resource(Family.LOCK, name);
    }

    // ---- threads and processes

    /** Work on a thread of its own, which is interrupted at the end of the class if it still runs. */
    protected final <T extends @Nullable Object> Task<T> inThread(Callable<? extends T> work) {
        var task = new Task<T>(this, work);
        closing(task::interrupt);
        return task;
    }

    /** Another process on the same store, for fixtures that have a URL. */
    protected final ChildJvm child(Duration lease) {
        return closing(LockProgram.start(fixture().url().orElseThrow(), lease));
    }

    /** Somebody else on the same store: another process where that can be, otherwise another keeper. */
    protected final Peer peer(Duration lease) {
        return closing(fixture()
                .url()
                .map(url -> Peer.process(url, lease))
                .orElseGet(() -> Peer.keeper(fixture().backend(), lease, clocks())));
    }

    // ---- locks

    /** What the store says of the lock of that name. */
    protected final ResourceState stateOf(String name) {
        return keeper().inspect(name).orElseGet(() -> new ResourceState(lockNamed(name), List.of(), 0, 0));
    }

    /** Whether claims queue in the store, in order, over all keepers. Others poll. */
    protected final boolean keepsOrder() {
        return can(Capability.FAIR);
    }

    /** Waits until this many claims queue in the store for the lock of that name, if the store has a queue. */
    protected final void awaitQueued(String name, int claims) {
        eventually(
                claims + " claims wait for " + name,
                () -> !keepsOrder() || stateOf(name).waiting() == claims);
    }

    /** Nobody holds it and nobody queues: there is no trace of it in the store. */
    protected final void assertNoTrace(String name) {
        eventually("no trace is left of " + name, () -> keeper().inspect(name).isEmpty());
    }

    /** Acquires what must be free. It asks more than once, for the sake of busy machines on which a request takes long. */
    protected final ExclusiveHold take(DistributedLock lock) {
        try {
            return held(lock.tryAcquire(PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while taking " + lock.name(), e);
        }
    }

    /** It cannot be acquired just now. Only an answer counts: a busy machine may not give one in time. */
    protected final void taken(Acquirable<? extends Hold> lock) {
        eventually("the store answers", () -> {
            assertThat(isFree(lock)).as("it should be taken, and is free").isFalse();
            return true;
        });
    }

    /** Whether it can be acquired just now; it is given back. */
    protected static boolean isFree(Acquirable<? extends Hold> lock) {
        try (Hold hold = lock.tryAcquire()) {
            return hold != null;
        }
    }

    /** What was acquired; it fails the case if that is null. */
    protected static <H extends Hold> H held(@Nullable H hold) {
        if (hold == null) {
            throw new AssertionError("Expected to hold it, but it was not acquired");
        }
        return hold;
    }

    /** Somebody who takes it and gives it back all the time; how often, in the end. */
    protected final Task<Integer> busyUntil(AtomicBoolean stop, DistributedLock lock) {
        return inThread(() -> {
            int rounds = 0;
            while (!stop.get()) {
                lock.acquire().close();
                rounds++;
                breathe();
            }
            return rounds;
        });
    }

    /**
     * Between two acquisitions of a thread that comes back at once. Where requests take no time, as in virtual time, a lock would not
     * be free for any time at all, and no poll could find it so.
     */
    protected final void breathe() {
        if (clocks() instanceof ManualClocks) {
            letPass(Duration.ofMillis(10));
        }
    }

    /** Another caller gets it only after this hold is over for its holder. */
    protected final void assertExcludesOthers(ExclusiveHold hold) {
        try (ExclusiveHold other = otherKeeper().lock(hold.name()).tryAcquire()) {
            if (other != null) {
                assertThat(hold.state()).isEqualTo(HoldState.LOST);
            }
        }
    }

    /** Somebody else, in another keeper, holds it while the body runs. */
    protected final void whileHeldElsewhere(String name, Consumer<ExclusiveHold> body) {
        try (ExclusiveHold hold = take(otherKeeper().lock(name))) {
            body.accept(hold);
        }
    }

    /** Waits until this candidate leads. */
    protected final void leads(LeaderElection election) {
        eventually("it leads", election::isLeader);
    }

    /** A hold of that lock that its holder lost, in whatever way this store offers. */
    protected final ExclusiveHold lostHold(DistributedLock lock) {
        ExclusiveHold hold = take(losable(lock));
        lose(lock.name());
        eventually("the loss is known", () -> hold.state() == HoldState.LOST);
        return hold;
    }

    /** A view of a lock whose holds {@link #lose} makes lost soon. */
    protected final DistributedLock losable(DistributedLock lock) {
        return losable(lock, lease());
    }

    /** The same with another lease. */
    protected final DistributedLock losable(DistributedLock lock, Duration lease) {
        return can(Fault.LOSE_GRANTS) ? lock.withLease(lease) : lock.withFixedLease(lease);
    }

    /** Makes those who hold a {@link #losable} lock lose it, soon. Stores that never lose anything let its lease end. */
    protected final void lose(String name) {
        if (can(Fault.LOSE_GRANTS)) {
            fixture().loseGrants(lockNamed(name));
        }
    }

    private static <T> T opened(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(
                    "The fixture was not opened; JUnit does that before the cases of the class");
        }
        return value;
    }
}
