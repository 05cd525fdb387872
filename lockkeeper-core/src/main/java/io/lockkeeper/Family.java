package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import java.util.regex.Pattern;

/**
 * A kind of resource. The same name in two families is two resources; {@code lock}, {@code fairLock} and {@code readWriteLock}
 * are one family.
 *
 * @param key a short lower-case word that stores use in their keys
 */
public record Family(String key) {

    private static final Pattern KEY = Pattern.compile("[a-z]{1,16}(\\.[0-9]{1,6})?");

    /** Locks, fair locks and read-write locks. */
    public static final Family LOCK = new Family("lock");
    /** Semaphores. */
    public static final Family SEMAPHORE = new Family("semaphore");
    /** Latches. */
    public static final Family LATCH = new Family("latch");
    /** Elections. */
    public static final Family ELECTION = new Family("election");
    /** The candidates of an election: each shares the resource of the election's name while it stands or leads. */
    public static final Family CANDIDATE = new Family("candidate");

    public Family {
        given(key, "key");
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("'" + key + "' is not a family: use a lower-case word, such as 'lock'");
        }
    }

    /** The family of one segment of segmented locks. */
    public static Family segment(int index) {
        return new Family("segment." + index);
    }

    @Override
    public String toString() {
        return key;
    }
}
