package io.lockkeeper.benchmarks.site;

import java.time.Duration;

/** A store that the run has started, and what can be read off it. */
public interface Site extends AutoCloseable {

    /** What libraries connect to. */
    String url();

    /** Name and version, for the page. */
    String version();

    /** The same store behind a network that delays each answer so much. Closed with the store. */
    Site delayed(Duration delay);

    /** Scripts that clients have called since its start: what renewals cost. */
    long scripts();

    /** Counts what clients send from now on, one by one. It costs the store time, so it has a round of its own. */
    Tally tally();

    /** A count that goes on until it is closed. */
    interface Tally extends AutoCloseable {

        /** Instead of a count, where the store does not tell. */
        long UNKNOWN = -1;

        /** Commands that came so far over the wire; those that scripts execute do not count. */
        long count();

        @Override
        void close();
    }

    /** How many clients are connected. */
    int connections();

    /** The processor time that it has used. */
    Duration cpu();

    /** Forgets everything that is stored, between scenarios. */
    void clear();

    /**
     * Whatever it keeps of a name that was used is there for this many further names, which end with a number from 0, as if
     * they had been used, too.
     */
    void multiply(String name, String further, int count);

    @Override
    void close();
}
