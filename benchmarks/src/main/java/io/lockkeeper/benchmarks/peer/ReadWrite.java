package io.lockkeeper.benchmarks.peer;

/** A read-write lock, for one thread. */
public record ReadWrite(Mutex read, Mutex write) {}
