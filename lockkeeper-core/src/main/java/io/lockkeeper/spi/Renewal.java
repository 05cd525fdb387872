package io.lockkeeper.spi;

import io.lockkeeper.Loss;
import java.time.Duration;

/** A store's answer to the renewal of one grant. */
public sealed interface Renewal {

    /**
     * The claim still holds.
     *
     * @param validity how long it holds, counted from when the request was sent; for a fixed claim what is left of its lease
     * @param othersWait whether other keepers wait for it; a store without {@link Capability#LEASES} says so as far as it knows
     *     without looking for it
     */
    record Kept(Duration validity, boolean othersWait) implements Renewal {}

    /** The claim does not hold any more. */
    record Gone(Loss.Reason reason) implements Renewal {}

    /** The store did not answer for this claim; the answers for the others stand. */
    record Unknown(RuntimeException failure) implements Renewal {}
}
