package io.lockkeeper;

/**
 * Thrown when a hold was lost: its lease ended, or the store granted the resource to another owner.
 *
 * <p>It is an {@link IllegalMonitorStateException}, as {@code unlock()} of a lock that is not held throws by the contract of
 * {@link java.util.concurrent.locks.Lock}; so code that catches that one around {@code unlock()} keeps working. It is therefore
 * the one exception of Lockkeeper that is <em>not</em> a {@link LockkeeperException}: code that catches everything that
 * Lockkeeper throws has to name both.
 */
public final class LockLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 2;

    private final transient Loss loss;

    public LockLostException(String message, Loss loss) {
        super(message);
        this.loss = loss;
    }

    /** The hold that was lost, and the reason. */
    public Loss loss() {
        return loss;
    }
}
