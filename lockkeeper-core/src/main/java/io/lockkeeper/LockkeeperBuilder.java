package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.shell.LiveKeeper;
import io.lockkeeper.shell.Settings;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The settings of a keeper. Each has a default that suits most applications. */
public final class LockkeeperBuilder {

    private Settings settings = Settings.DEFAULT;

    LockkeeperBuilder() {}

    /** The lease of locks without one of their own; 30 s by default. */
    public LockkeeperBuilder lease(Duration lease) {
        given(lease, "lease");
        settings = settings.withLease(lease);
        return this;
    }

    /**
     * The timeout of one request to the store; 1 s by default, and never more than a third of the lease that the request is
     * about. Opening a keeper may take longer.
     */
    public LockkeeperBuilder commandTimeout(Duration timeout) {
        given(timeout, "timeout");
        settings = settings.withCommandTimeout(timeout);
        return this;
    }

    /** How often and how long a grant is handed off between the threads of this process; 64 times or 20 ms by default. */
    public LockkeeperBuilder handOff(HandOff handOff) {
        given(handOff, "handOff");
        settings = settings.withHandOff(handOff);
        return this;
    }

    /** What the keeper does about holds that were forgotten; by default they are reported and released. */
    public LockkeeperBuilder leaks(Leaks leaks) {
        given(leaks, "leaks");
        settings = settings.withLeaks(leaks);
        return this;
    }

    /**
     * The executor of the application's listeners and asynchronous bodies. By default these run on threads of the keeper: at
     * most 32, and one more for each second in which none of them began a new task, so that callbacks that wait for each other
     * do not wait forever.
     *
     * <p>The executor is called by threads of the keeper that do nothing else. It may reject a task, run it in the caller or
     * block: then the task runs, or waits, on such a thread, and no lock is affected. An executor that drops a task without an
     * exception drops notifications, such as that of a loss.
     */
    public LockkeeperBuilder callbacks(Executor executor) {
        given(executor, "executor");
        settings = settings.withCallbacks(executor);
        return this;
    }

    /** Registers a listener for the events of the keeper. */
    public LockkeeperBuilder listener(KeeperListener listener) {
        given(listener, "listener");
        settings = settings.withListener(listener);
        return this;
    }

    /** A note about this process that others read beside its host and pid, of at most 100 characters. */
    public LockkeeperBuilder note(String note) {
        given(note, "note");
        settings = settings.withNote(note);
        return this;
    }

    /**
     * The source of claim ids, which stores keep as the mark of the owner; 128 random bits each by default. Another source must
     * return each id once, across all processes and forever, of 16 to 64 letters and digits; if two holders got the same id,
     * either could release the other's lock. Called from many threads.
     */
    public LockkeeperBuilder claimIds(Supplier<String> ids) {
        given(ids, "ids");
        settings = settings.withClaimIds(ids);
        return this;
    }

    /**
     * Opens the keeper before its store can be reached, so that an application may start before its Redis. The store is opened
     * in the background, and again by each call until it is there; whatever is checked when a keeper opens is checked then.
     *
     * <p>Until then calls behave as if the store did not answer: {@code acquire()} and {@code lock()} keep retrying, unless
     * {@code giveUpAfter} is set; calls with a timeout, and single requests, fail with {@link StoreUnavailableException}. An
     * error that needs a person, such as a wrong password, fails each call at once, where a keeper that is not lazy would not
     * have opened. A malformed URL, or one with an unknown scheme, is rejected right away.
     */
    public LockkeeperBuilder lazy() {
        settings = settings.withLazy();
        return this;
    }

    /** The clocks by which leases are counted; for tests. */
    public LockkeeperBuilder clocks(Clocks clocks) {
        given(clocks, "clocks");
        settings = settings.withClocks(clocks);
        return this;
    }

    /**
     * Opens a keeper on the store that the URL names; see {@link Lockkeeper#connect}.
     *
     * @throws StoreUnavailableException if the store cannot be reached, unless the keeper is {@link #lazy}
     */
    public Lockkeeper connect(String url) {
        given(url, "url");
        return LiveKeeper.connect(url, settings);
    }

    /**
     * Opens a keeper on a backend; see {@link Lockkeeper#of}.
     *
     * @throws StoreUnavailableException if the store cannot be reached, unless the keeper is {@link #lazy}
     */
    public Lockkeeper open(Backend backend) {
        given(backend, "backend");
        return LiveKeeper.open(backend, settings);
    }
}
