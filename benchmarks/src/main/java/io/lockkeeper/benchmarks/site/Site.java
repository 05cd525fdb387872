package io.lockkeeper.benchmarks.site;

import java.time.Duration;
import java.util.Set;

/** A store that the run has started, and what can be read off it. */
public interface Site extends AutoCloseable {

    /** What libraries connect to. */
    String url();

    /** Name and version, for the page. */
    String version();

    /** The same store behind a network that delays each answer so much. Closed with the store. */
    Site delayed(Duration delay);

    /**
     * Commands that clients have sent since its start; those that scripts execute do not count.
     *
     * @param alone commands that clients are known to send by themselves, apart from scripts and subscriptions
     */
    long commands(Set<String> alone);

    /** How many clients are connected. */
    int connections();

    /** The processor time that it has used. */
    Duration cpu();

    /** Forgets everything that is stored, between scenarios. */
    void clear();

    @Override
    void close();
}
