package io.lockkeeper.spi;

import java.util.Set;

/** Makes backends from URLs, and says what they can do; found by {@link java.util.ServiceLoader}. It must not connect. */
public interface BackendProvider {

    /** How messages call its stores, such as {@code memory}. */
    String name();

    /** What its stores can do at most; how one is set up may take something away. */
    Set<Capability> capabilities();

    /** The schemes of its URLs, in lower case and without the colon. */
    Set<String> schemes();

    /**
     * Makes the backend that the URL names. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if the URL is malformed: with which part, what is wrong, and an example
     */
    Backend create(String url);
}
