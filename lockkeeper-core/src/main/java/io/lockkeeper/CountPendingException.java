package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store did not answer a {@link DistributedLatch#countDown countDown} that was sent. It may have been counted
 * already; if not, it is sent again in the background until the store answers or the keeper is closed, and counts once. <b>Do
 * not repeat it</b>: another call would count a second time.
 */
public final class CountPendingException extends StoreUnavailableException {
    private static final long serialVersionUID = 1;

    public CountPendingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
