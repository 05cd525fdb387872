package io.lockkeeper;

/**
 * A lock held exclusively. Its {@link #token()} is greater than that of every hold granted before it, so a {@link Fencing guard}
 * beside the data can reject a stale holder; guards take this type only.
 */
public interface ExclusiveHold extends SingleHold {}
