package io.lockkeeper.benchmarks.peer;

/** A count-down latch. */
public interface Latch {

    void set(int count) throws Exception;

    void countDown() throws Exception;

    void await() throws Exception;

    /** Nobody needs it any more. */
    void delete() throws Exception;
}
