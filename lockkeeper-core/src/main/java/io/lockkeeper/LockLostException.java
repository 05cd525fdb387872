package io.lockkeeper;

/** What was held was lost: its lease ended, or the store gave it to somebody else. */
public final class LockLostException extends LockkeeperException {
    private static final long serialVersionUID = 1;

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
