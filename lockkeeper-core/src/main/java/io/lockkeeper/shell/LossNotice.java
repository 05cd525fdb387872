package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
 * but that future; the collector would release the lock under it, and nobody would ever complete it. The same with a future
 * that does not know that another one waits for it, as after {@code acquireAsync().thenCompose(Hold::lost)}. That {@code
 * allOf} and {@code anyOf} wait for it, a future cannot know; the Javadoc of {@link io.lockkeeper.Hold#lost} says so.
 *
 * <p>Futures that the application dropped leave nothing behind here, so that a loop may ask for one in each round.
 */
final class LossNotice {

    private final CompletableFuture<Loss> word = new CompletableFuture<>();
    /** Made when it is needed, because most holds are never asked for a future. */
    private final AtomicReference<@Nullable Futures> futures = new AtomicReference<>();

    /** Called on the callback executor. */
    void tell(Loss loss) {
        word.complete(loss);
        Futures given = futures.get();
        if (given != null) {
            given.tell(loss);
        }
    }

    /** Whether a listener is there that would hear it, though nothing else refers to the handle. */
    boolean isAwaited() {
        return word.getNumberOfDependents() > 0;
    }

    /** How many futures it knows. */
    int futures() {
        Futures given = futures.get();
        return given == null ? 0 : given.size();
    }

    /** A future of its own, which keeps the handle until it is complete. */
    CompletableFuture<Loss> future(LiveHold handle) {
        return firstOf(List.of(handle));
    }

    /** A future of the first loss of several holds, which keeps all of them until it is complete. */
    static CompletableFuture<Loss> firstOf(List<LiveHold> handles) {
        Told told = new Told(handles);
        for (LiveHold handle : handles) {
            handle.word().promise(told);
        }
        return told;
    }

    private void promise(Told told) {
        given().add(told);
        // After it was added: a loss that is told in between finds it there, one that was told before is seen here.
        if (word.isDone()) {
            told.complete(word.join());
        }
    }

    private Futures given() {
        Futures given = futures.get();
        if (given == null) {
            Futures made = new Futures();
            given = futures.compareAndSet(null, made) ? made : Objects.requireNonNull(futures.get());
        }
        return given;
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

    /** The futures of one hold: weakly those that were given out, strongly those that something depends on. */
    private static final class Futures {
        private final Set<Reference<Told>> given = ConcurrentHashMap.newKeySet();
        private final Set<Told> awaited = ConcurrentHashMap.newKeySet();
        private final ReferenceQueue<Told> dropped = new ReferenceQueue<>();

        void add(Told told) {
            forgetDropped();
            given.add(new WeakReference<>(told, dropped));
        }

        void tell(Loss loss) {
            for (Reference<Told> weakly : given) {
                Told told = weakly.get();
                if (told != null) {
                    told.complete(loss);
                }
            }
            given.clear();
        }

        int size() {
            forgetDropped();
            return given.size();
        }

        private void forgetDropped() {
            for (Reference<?> gone = dropped.poll(); gone != null; gone = dropped.poll()) {
                given.remove(gone);
            }
        }
    }

    /** A future that refers to the handles; once something depends on it, it is kept until it is complete. */
    private static final class Told extends CompletableFuture<Loss> {
        /** Empty once it is complete. */
        private volatile List<LiveHold> handles;

        Told(List<LiveHold> handles) {
            this.handles = handles;
        }

        /** Called for whatever is made to depend on this one. */
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            keep();
            return new CompletableFuture<>();
        }

        /** Called by a future that waits for this one, as the result of {@code thenCompose} does. */
        @Override
        public CompletableFuture<Loss> toCompletableFuture() {
            keep();
            return this;
        }

        private void keep() {
            List<LiveHold> kept = handles;
            for (LiveHold handle : kept) {
                handle.word().given().awaited.add(this);
            }
            if (isDone()) {
                drop(kept);
            }
        }

        private void drop(List<LiveHold> kept) {
            for (LiveHold handle : kept) {
                handle.word().given().awaited.remove(this);
            }
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
            drop(handles);
            handles = List.of();
            return now;
        }
    }
}
