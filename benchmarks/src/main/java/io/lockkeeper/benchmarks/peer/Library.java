package io.lockkeeper.benchmarks.peer;

import java.util.Set;

/**
 * A library, or one of its ways to lock.
 *
 * @param id how it is called on the command line
 * @param title how it is called in tables
 * @param backend the id of the store that it is for
 * @param root what Maven has to add for it, as {@code group:artifact}, with commas
 * @param open connects to a store
 */
public record Library(String id, String title, String backend, String root, Set<Feature> features, Opening open) {

    /** The one whose ratio to the others is told. */
    public static final String OURS = "lockkeeper";

    /** Connects. */
    @FunctionalInterface
    public interface Opening {
        Peer open(String url) throws Exception;
    }

    public boolean can(Feature feature) {
        return features.contains(feature);
    }
}
