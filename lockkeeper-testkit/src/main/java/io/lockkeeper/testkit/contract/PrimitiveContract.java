package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Family;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A contract about one primitive. */
public abstract class PrimitiveContract extends ContractTest {

    /** Makes the primitive. */
    protected abstract Object make(Lockkeeper keeper, String name);

    // ---- threads

    /** Something to do that may fail. */
    @FunctionalInterface
    protected interface Script {
        void play() throws Exception;
    }

    /** Does it in a thread of its own. */
    protected final Task<@Nullable Void> running(Script script) {
        return inThread(() -> {
            script.play();
            return null;
        });
    }

    /** Calls it in a thread of its own; returns when that thread waits. */
    protected final <T extends @Nullable Object> Task<T> waiting(Callable<? extends T> call) {
        Task<T> task = inThread(call);
        eventually("the thread waits", () -> {
            assertThat(task.isDone()).as("done already, without waiting").isFalse();
            return switch (task.thread().getState()) {
                case WAITING, TIMED_WAITING -> true;
                default -> false;
            };
        });
        return task;
    }

    /** Waits for all of them. */
    protected static <T extends @Nullable Object> List<T> results(List<? extends Task<? extends T>> tasks)
            throws Exception {
        List<T> results = new ArrayList<>();
        for (Task<? extends T> task : tasks) {
            results.add(task.get());
        }
        return results;
    }

    // ---- holds

    protected static Resource semaphoreNamed(String name) {
        return new Resource(Family.SEMAPHORE, name);
    }

    /** What was acquired; fails if it was not. */
    protected static <H> H got(@Nullable H hold) {
        assertThat(hold).as("it should be acquired").isNotNull();
        return Objects.requireNonNull(hold);
    }

    /**
     * It can be acquired just now, or soon where claims do not queue: there a release is done when a majority has heard of
     * it, and what several left behind on others may be a majority too. It is given back.
     */
    protected final void free(Acquirable<? extends Hold> lock) {
        if (!can(Capability.QUEUE)) {
            soonFree(lock);
            return;
        }
        try {
            got(lock.tryAcquire()).close();
        } catch (StoreUnavailableException busy) {
            // What it may have been granted without being told is given back in the background.
            soonFree(lock);
        }
    }

    /** It can be acquired soon (what somebody left behind who gave up is cleared away in the background); it is given back. */
    protected void soonFree(Acquirable<? extends Hold> lock) {
        eventually("it is free", () -> isFree(lock));
    }

    /** It is held. For a moment it may be uncertain, on a busy machine; lost is lost. */
    protected void stillHeld(Hold hold) {
        eventually("it is held", () -> {
            assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
            return hold.state() == HoldState.HELD;
        });
    }

    /** It can soon not be acquired. */
    protected void soonTaken(Acquirable<? extends Hold> lock) {
        eventually("it is taken", () -> !isFree(lock));
    }

    /** Lets several renewals pass by, and the end of the lease if there are none. */
    protected final void outlastTheLease() {
        outlast(lease());
    }

    /** Lets several renewals pass by, and the end of this lease if there are none. */
    protected void outlast(Duration lease) {
        letPass(lease.plus(lease.dividedBy(2)).plus(Duration.ofMillis(200)));
    }
}
