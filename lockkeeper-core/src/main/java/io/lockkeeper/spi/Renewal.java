package io.lockkeeper.spi;

import io.lockkeeper.Loss;
import java.time.Duration;

/** What a store says of one grant that was to be renewed. */
public sealed interface Renewal {

    /**
     * Still held.
     *
     * @param validity how long, counted from when the request was sent; of a fixed claim what is left of its lease
     * @param othersWait whether other keepers wait for it; a store without {@link Capability#LEASES} says so as far as it knows
     *     without looking for it
     */
    record Kept(Duration validity, boolean othersWait) implements Renewal {}

    /** Not held any more. */
    record Gone(Loss.Reason reason) implements Renewal {}

    /** The store could not tell for this one; the others' answers stand. */
    record Unknown(RuntimeException failure) implements Renewal {}
}
