package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The notice of the loss of one hold, for all listeners and futures that wait for it. The keeper keeps it for as long as the
 * hold lasts, also after the application dropped the handle.
 *
 * <p><b>Invariant.</b> Whatever can still hear of a loss is told. So a future or registration that the
 * application keeps keeps the handle, and the collector takes no hold away from it; so does a future that something depends
 * on, since what depends on it is reachable from here alone. Listeners whose registration was dropped do not keep the handle,
 * unless they refer to it: if it is forgotten and given back, they are told that.
 *
 * <p>What would break it: a future that does not refer to the handle. A program that waits for the loss of a lock has nothing
 * but that future; the collector would release the lock under it, and nobody would ever complete it.
 */
final class LossNotice {

    private final CompletableFuture<Loss> word = new CompletableFuture<>();
    /** Futures that something depends on. */
    private final Queue<Told> awaited = new ConcurrentLinkedQueue<>();

    /** Called on the callback executor. */
    void tell(Loss loss) {
        word.complete(loss);
    }

    /** Whether a listener or a future is there that would hear it. */
    boolean isAwaited() {
        return word.getNumberOfDependents() > 0;
    }

    /** A future of its own, which keeps the handle until it is complete. */
    CompletableFuture<Loss> future(LiveHold handle) {
        Told told = new Told(this, handle);
        WeakReference<Told> weakly = new WeakReference<>(told);
        word.thenAccept(loss -> {
            Told reachable = weakly.get();
            if (reachable != null) {
                reachable.complete(loss);
            }
        });
        return told;
    }

    /** Calls a listener; the registration keeps the handle until it is closed. */
    Registration listener(LiveHold handle, Executor callbacks, Consumer<? super Loss> listener) {
        AtomicBoolean wanted = new AtomicBoolean(true);
        word.thenAccept(loss -> callbacks.execute(() -> {
            if (wanted.get()) {
                listener.accept(loss);
            }
        }));
        return new Registered(handle, wanted);
    }

    private static final class Registered implements Registration {
        private final AtomicBoolean wanted;

        @SuppressWarnings("unused") // Refers to the handle for as long as the listener is registered.
        private volatile @Nullable LiveHold handle;

        Registered(LiveHold handle, AtomicBoolean wanted) {
            this.handle = handle;
            this.wanted = wanted;
        }

        @Override
        public void close() {
            wanted.set(false);
            handle = null;
        }
    }

    /** A future that refers to the handle; once something depends on it, it is kept until it is complete. */
    private static final class Told extends CompletableFuture<Loss> {
        private final LossNotice from;

        @SuppressWarnings("unused") // Refers to the handle until it is complete.
        private volatile @Nullable LiveHold handle;

        Told(LossNotice from, LiveHold handle) {
            this.from = from;
            this.handle = handle;
        }

        /** Called for whatever is made to depend on this one. */
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            if (!isDone()) {
                from.awaited.add(this);
                if (isDone()) {
                    from.awaited.remove(this);
                }
            }
            return new CompletableFuture<>();
        }

        @Override
        public boolean complete(Loss loss) {
            return ended(super.complete(loss));
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            return ended(super.completeExceptionally(failure));
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return ended(super.cancel(mayInterruptIfRunning));
        }

        private boolean ended(boolean now) {
            handle = null;
            while (from.awaited.remove(this)) {
                // It was added for each that depends on it.
            }
            return now;
        }
    }
}
