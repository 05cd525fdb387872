package io.lockkeeper.spi;

import java.util.Set;

/** A factory of backends for URLs, found by {@link java.util.ServiceLoader}. No call connects to a server. */
public interface BackendProvider {

    /** How messages call its stores, such as {@code memory}. */
    String name();

    /** What its stores can do at most; how one is set up may take something away. */
    Set<Capability> capabilities();

    /** The schemes of its URLs, in lower case and without the colon. */
    Set<String> schemes();

    /**
     * Returns the backend that the URL names. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if the URL is malformed; the message says which part is wrong and gives an example
     */
    Backend create(String url);
}
