package io.lockkeeper.benchmarks.job;

/** What the threads of one process do again and again during a round. */
interface Job {

    /** Instead of a duration: this time does not count at all. */
    long IDLE = Long.MIN_VALUE;

    /** Made for each thread, on that thread, before the round begins. */
    Worker worker(int thread) throws Exception;

    /** One thread's part. */
    interface Worker {

        /**
         * Does it once.
         *
         * @return the nanoseconds that count for the percentiles, mostly the wait for a lock; negative for none
         */
        long once() throws Exception;

        /** How many updates of guarded counters came of it. */
        default long updates(long times) {
            return times;
        }

        /** Whether to stop, asked before each time. */
        default boolean over(boolean timeIsUp) {
            return timeIsUp;
        }

        /** After the round, on the same thread. */
        default void end() throws Exception {}
    }
}
