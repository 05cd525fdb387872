package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import java.nio.charset.StandardCharsets;

/**
 * Something that can be locked: a name within a family.
 *
 * @param family the kind of resource
 * @param name any Unicode text of 1 to 255 bytes in UTF-8, case-sensitive, used as it is
 */
public record Resource(Family family, String name) {

    private static final int LONGEST = 255;

    public Resource {
        given(family, "family");
        given(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The name of a " + family + " is empty; give it 1 to 255 bytes");
        }
        // A char is at most 3 bytes of UTF-8, so short names need no encoding; unpaired surrogates have none at all.
        boolean fits = name.length() * 3 <= LONGEST || name.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
        if (!fits) {
            throw new IllegalArgumentException("The name '" + name.substring(0, 40) + "…' has "
                    + name.getBytes(StandardCharsets.UTF_8).length + " bytes in UTF-8; at most 255 are allowed");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isSurrogate(name.charAt(i))) {
                if (!Character.isSurrogatePair(name.charAt(i), i + 1 < name.length() ? name.charAt(i + 1) : ' ')) {
                    throw new IllegalArgumentException("The name has half of a surrogate pair at index " + i
                            + ", which UTF-8 cannot encode; use text without it");
                }
                i++;
            }
        }
    }

    /**
     * The resource of {@link Lockkeeper#lock}, {@link Lockkeeper#fairLock} and {@link Lockkeeper#readWriteLock} of that name.
     */
    public static Resource lock(String name) {
        return new Resource(Family.LOCK, name);
    }

    /** The resource of {@link Lockkeeper#semaphore} of that name. */
    public static Resource semaphore(String name) {
        return new Resource(Family.SEMAPHORE, name);
    }

    /** The resource of {@link Lockkeeper#leaderElection} of that name. */
    public static Resource election(String name) {
        return new Resource(Family.ELECTION, name);
    }

    @Override
    public String toString() {
        return family + " '" + name + "'";
    }
}
