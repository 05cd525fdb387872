package io.lockkeeper.file;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The value of the system properties by which copies of this library in one JVM, loaded by several class loaders, know of
 * each other's files. It names the process and the copy.
 *
 * <p>A value of another process was inherited from it, and one of this copy that this copy does not know of was restored
 * from an older copy of the properties. Neither tells anything. Without that, a property that came back would bar a file,
 * or keep a session that has ended alive, until the JVM ends.
 */
final class JvmMark {

    private static final String PROCESS = ProcessHandle.current().pid() + ":";

    /** This copy's. */
    static final String OWN = PROCESS + Long.toHexString(new SecureRandom().nextLong());

    private JvmMark() {}

    /** Whether it was set by another copy of the library in this process. */
    static boolean isAnotherLoaders(@Nullable String value) {
        return value != null && value.startsWith(PROCESS) && !value.equals(OWN);
    }
}
