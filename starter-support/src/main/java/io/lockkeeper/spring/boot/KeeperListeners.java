package io.lockkeeper.spring.boot;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import java.util.List;
import java.util.function.Consumer;

/** Several listeners as one. What one of them throws is thrown again when all were called. */
final class KeeperListeners implements KeeperListener {

    private final List<KeeperListener> listeners;

    KeeperListeners(List<KeeperListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    private void each(Consumer<KeeperListener> call) {
        RuntimeException thrown = null;
        for (KeeperListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException failure) {
                if (thrown == null) {
                    thrown = failure;
                } else {
                    thrown.addSuppressed(failure);
                }
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    @Override
    public void requested(KeeperEvent.Requested event) {
        each(listener -> listener.requested(event));
    }

    @Override
    public void waiting(KeeperEvent.Waiting event) {
        each(listener -> listener.waiting(event));
    }

    @Override
    public void polled(KeeperEvent.Polled event) {
        each(listener -> listener.polled(event));
    }

    @Override
    public void nested(KeeperEvent.Nested event) {
        each(listener -> listener.nested(event));
    }

    @Override
    public void acquired(KeeperEvent.Acquired event) {
        each(listener -> listener.acquired(event));
    }

    @Override
    public void gaveUp(KeeperEvent.GaveUp event) {
        each(listener -> listener.gaveUp(event));
    }

    @Override
    public void failed(KeeperEvent.Failed event) {
        each(listener -> listener.failed(event));
    }

    @Override
    public void released(KeeperEvent.Released event) {
        each(listener -> listener.released(event));
    }

    @Override
    public void renewed(KeeperEvent.Renewed event) {
        each(listener -> listener.renewed(event));
    }

    @Override
    public void renewalFailed(KeeperEvent.RenewalFailed event) {
        each(listener -> listener.renewalFailed(event));
    }

    @Override
    public void uncertain(KeeperEvent.Uncertain event) {
        each(listener -> listener.uncertain(event));
    }

    @Override
    public void lost(KeeperEvent.Lost event) {
        each(listener -> listener.lost(event));
    }

    @Override
    public void storeFailed(KeeperEvent.StoreFailed event) {
        each(listener -> listener.storeFailed(event));
    }

    @Override
    public void storeStateChanged(KeeperEvent.StoreStateChanged event) {
        each(listener -> listener.storeStateChanged(event));
    }
}
