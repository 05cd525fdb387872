package io.lockkeeper.shell;

/** Remembers the place that acquired a hold, for reports. Its trace is taken cheaply and read only if needed. */
final class AcquiredHere extends Throwable {
    private static final long serialVersionUID = 1;

    AcquiredHere() {
        super("acquired here, by thread '" + Thread.currentThread().getName() + "'");
    }
}
