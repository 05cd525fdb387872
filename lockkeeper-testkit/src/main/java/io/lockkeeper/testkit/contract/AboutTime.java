package io.lockkeeper.testkit.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A case in which something must come in time, or that waits for the end of a lease: expiry, loss, silence, renewal. It uses {@link
 * ContractTest#lease()}, which is short; all other cases have leases of a minute, which no stall of the machine ends.
 *
 * <p>On real servers these cases run in a test run of their own with nothing else beside it: the build excludes the tag {@value #TAG} from
 * the ordinary run. A few of them run at once; they wait nearly all the time, so they take no processor from each other.
 */
@Tag(AboutTime.TAG)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface AboutTime {

    /** The tag of these cases. */
    String TAG = "time";

    /**
     * The tag of a suite whose cases about time another suite has: the same store in another arrangement of servers. The build leaves them
     * out, except with {@code -Pfull}.
     */
    String ELSEWHERE = "time-elsewhere";

    /**
     * The tag of a suite that runs, of the cases about time, those in which its store can differ, and those that are {@linkplain
     * DecidedByKeeper decided by the keeper} only with {@code -Pfull}.
     */
    String OF_STORE = "time-of-store";
}
