package io.lockkeeper.testkit.sim;

/** A simulated server that can be hurt. */
interface Server {

    SimMachine machine();

    /** Whether it is not there now: requests are refused. */
    boolean isDown();

    /** Goes down; comes back after that many nanoseconds with what is left to it. */
    void restart(long downFor, SimFaults kind);
}
