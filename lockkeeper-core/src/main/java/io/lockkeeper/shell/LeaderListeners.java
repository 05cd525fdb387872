package io.lockkeeper.shell;

import io.lockkeeper.LeaderElection;
import io.lockkeeper.Registration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listeners of one candidate, which are told of its events one after the other, in the order in which they happened. */
final class LeaderListeners {

    private final CopyOnWriteArrayList<LeaderElection.Listener> listeners = new CopyOnWriteArrayList<>();
    private final SerialTasks inOrder;

    LeaderListeners(KeeperThreads workers) {
        this.inOrder = new SerialTasks(workers::callback);
    }

    Registration add(LeaderElection.Listener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void tell(Consumer<LeaderElection.Listener> event) {
        for (LeaderElection.Listener listener : listeners) {
            inOrder.add(() -> event.accept(listener));
        }
    }

    /** Complete when the listeners have been told all that there is to tell now. */
    CompletableFuture<@Nullable Void> allTold() {
        CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
        if (listeners.isEmpty()) {
            told.complete(null);
        } else {
            inOrder.add(() -> told.complete(null));
        }
        return told;
    }

    /** Whether the calling thread runs a listener now. */
    boolean runHere() {
        return inOrder.runsHere();
    }
}
