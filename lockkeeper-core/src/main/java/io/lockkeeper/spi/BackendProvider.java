package io.lockkeeper.spi;

import java.util.Set;

/** Makes backends from URLs; found by {@link java.util.ServiceLoader}. */
public interface BackendProvider {

    /** The schemes it answers for, in lower case and without the colon. */
    Set<String> schemes();

    /**
     * Makes the backend that the URL names. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if the URL is malformed: with which part, what is wrong, and an example
     */
    Backend create(String url);
}
