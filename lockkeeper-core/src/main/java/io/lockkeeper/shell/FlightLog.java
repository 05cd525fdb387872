package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;

/**
 * The way to the JDK's Flight Recorder. It may be missing: a runtime image need not have the module {@code jdk.jfr}. So {@link
 * FlightEvents}, whose classes cannot be loaded then, is named here alone, and used only if the recorder is present.
 *
 * <p>It is also used only once a recorder was started in this process. The first use of an event class has the JDK load a few hundred
 * classes of its own, which takes longer than a member of a quorum may take to answer: without this rule the first {@code tryAcquire} of
 * a new process failed for lack of time.
 */
final class FlightLog {

    private static final boolean PRESENT = isPresent();

    private FlightLog() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.Event", false, FlightLog.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    /** Whether there is or was a recording. It stays true. */
    private static boolean isStarted() {
        return PRESENT && FlightEvents.Recorder.isStarted();
    }

    /** Whether a recording wants acquisitions or waits; cheap enough for each acquisition. */
    static boolean recordsAcquisitions() {
        return isStarted() && FlightEvents.recordsAcquisitions();
    }

    static Flight begin() {
        return FlightEvents.begin();
    }

    /** Records a loss, if a recording wants it. Safe on every thread: it does not block. */
    static void lost(Loss loss, String backend) {
        if (isStarted()) {
            FlightEvents.lost(loss, backend);
        }
    }

    /** One acquisition that is recorded. */
    interface Flight {
        /** It begins to wait. */
        void waits();

        /** @param token the token of the hold; 0 if there is none */
        void ended(Resource resource, boolean shared, String backend, String outcome, long token);
    }
}
