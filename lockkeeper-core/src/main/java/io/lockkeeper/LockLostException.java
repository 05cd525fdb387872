package io.lockkeeper;

/**
 * What was held was lost: its lease ended, or the store gave it to another owner.
 *
 * <p>It is an {@link IllegalMonitorStateException}, as {@code unlock()} of a lock that is not held throws by the contract of
 * {@link java.util.concurrent.locks.Lock}; so code that catches that one around {@code unlock()} goes on working. It is
 * therefore the one exception of Lockkeeper that is <em>not</em> a {@link LockkeeperException}: code that catches all that
 * Lockkeeper throws has to name both.
 */
public final class LockLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 2;

    private final transient Loss loss;

    public LockLostException(String message, Loss loss) {
        super(message);
        this.loss = loss;
    }

    /** What was lost, and why. */
    public Loss loss() {
        return loss;
    }
}
