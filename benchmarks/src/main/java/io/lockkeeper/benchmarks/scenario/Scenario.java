package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.report.Finding;
import java.time.Duration;
import java.util.List;

/** Something that is measured. */
public interface Scenario {

    /** How it is called on the command line; {@code group/rest}. */
    String id();

    /** The id of the store that it needs. */
    String backend();

    /** How long it will take. */
    Duration estimate(Stage stage);

    /**
     * Measures.
     *
     * @throws IllegalStateException if a lock did not exclude, or anything else went wrong
     */
    List<Finding> run(Stage stage) throws Exception;

    /** Whether a word of the command line means it: its id, what that begins with, or its store. */
    default boolean means(String word) {
        return id().equals(word) || id().startsWith(word + "/") || backend().equals(word);
    }
}
