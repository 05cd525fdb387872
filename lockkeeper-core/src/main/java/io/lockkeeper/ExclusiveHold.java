package io.lockkeeper;

/**
 * A lock held alone. Its {@link #token()} is greater than that of every hold granted before it, so a {@link Fencing
 * guard} beside the data can refuse whoever comes late; guards take this type only.
 */
public interface ExclusiveHold extends SingleHold {}
