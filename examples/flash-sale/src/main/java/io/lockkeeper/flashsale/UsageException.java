package io.lockkeeper.flashsale;

/** What was asked for cannot be done; the message says in one sentence what to do about it. */
final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }
}
