package io.lockkeeper.spi;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** A store and how it is reached. Several keepers may open it. */
public interface Backend extends AutoCloseable {

    /** The name of the store for people, as a URL where there is one; never with a password. It must not block. */
    String describe();

    /**
     * The kind of store in one lower-case word, such as {@code redis}, for metrics: the same for all stores of that kind. By default
     * the name of its class without "Backend". It must not block.
     */
    default String kind() {
        String name = getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return name.endsWith("backend") ? name.substring(0, name.length() - "backend".length()) : name;
    }

    /**
     * What its stores can do beyond exclusive claims. It must not block.
     *
     * <p>A backend that knows this only when it has met its server may add capabilities by its first {@link #open}, and never takes
     * one away. The keeper reads it after it has opened the store. A lazy keeper cannot, so {@link Capability#HAND_OFF}, {@link
     * Capability#EXCHANGE}, {@link Capability#EXPIRES} and {@link Capability#LEASES} are known from the start.
     *
     * @see StoreAbility
     */
    Set<Capability> capabilities();

    /** The longest lease of its grants; keepers refuse longer ones before anything is sent. */
    default Duration longestLease() {
        return LeaseTimes.LONGEST_LEASE;
    }

    /**
     * Opens the store for one keeper. It blocks until the store has answered, on a thread of the application, or on one of the keeper
     * if that is lazy; a failed call is repeated by a lazy keeper.
     *
     * @throws io.lockkeeper.StoreUnavailableException if the store cannot be reached
     */
    Store open(Keeper keeper);

    /** Frees what this object itself has, such as clients and threads. The keepers close the stores that they opened. */
    @Override
    void close();
}
