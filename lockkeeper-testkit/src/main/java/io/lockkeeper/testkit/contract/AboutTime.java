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
 * <p>On real servers these cases run one after the other, in a test run of their own with nothing beside it: the build excludes the tag
 * {@value #TAG} from the ordinary run.
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
}
