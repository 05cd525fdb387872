package io.lockkeeper.testkit.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A case {@linkplain AboutTime about time} that comes out the same on every store: what it looks at is decided by the keeper, in the engine
 * and the shell of core, and the store only grants, renews and releases, which other cases about time look at.
 *
 * <p>Such a case takes seconds in which the machine idles. So it runs in virtual time on memory and on a quorum, in real time on one store
 * whose grants have leases and on one whose grants end with a session, and on all others with {@code -Pfull}: their suites have the tag
 * {@value AboutTime#OF_STORE}. Not for a case in which the store counts the time, is asked by several processes, or answers late.
 */
@Tag(DecidedByKeeper.TAG)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface DecidedByKeeper {

    /** The tag of these cases. */
    String TAG = "decided-by-keeper";
}
