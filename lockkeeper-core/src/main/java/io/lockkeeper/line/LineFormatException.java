package io.lockkeeper.line;

import io.lockkeeper.LockkeeperException;

/** Thrown if the text of a line cannot be read or written. Nothing was changed. */
public final class LineFormatException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    LineFormatException(String message) {
        super(message);
    }
}
