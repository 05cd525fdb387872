package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * The events of the JDK's Flight Recorder. A recording that does not say otherwise keeps acquisitions and waits of 20 ms and
 * longer, as it does for the JDK's own locks, and every loss.
 */
@SuppressWarnings("UnusedVariable") // The recorder reads the fields.
final class FlightEvents {

    /** Asked whether a recording wants such events. Without a recording the JDK answers false by a constant. */
    private static final Acquire ACQUIRES = new Acquire();

    private static final Wait WAITS = new Wait();

    private FlightEvents() {}

    static boolean recordsAcquisitions() {
        return ACQUIRES.isEnabled() || WAITS.isEnabled();
    }

    static FlightLog.Flight begin() {
        return new Flight();
    }

    static void lost(Loss loss, String backend) {
        Lost event = new Lost();
        if (event.isEnabled()) {
            event.of(loss.resource(), false, backend);
            event.token = loss.token();
            event.reason = loss.reason().name();
            event.commit();
        }
    }

    private static final class Flight implements FlightLog.Flight {

        private final Acquire acquire = new Acquire();
        private @Nullable Wait wait;

        Flight() {
            acquire.begin();
        }

        @Override
        public void waits() {
            Wait begun = new Wait();
            begun.begin();
            wait = begun;
        }

        @Override
        public void ended(Resource resource, boolean shared, String backend, String outcome, long token) {
            commit(acquire, resource, shared, backend, outcome, token);
            Wait waited = wait;
            if (waited != null) {
                commit(waited, resource, shared, backend, outcome, token);
            }
        }

        private static void commit(
                Ending event, Resource resource, boolean shared, String backend, String outcome, long token) {
            event.end();
            if (event.shouldCommit()) {
                event.of(resource, shared, backend);
                event.outcome = outcome;
                event.token = token;
                event.commit();
            }
        }
    }

    /** Whether there is or was a recording. To ask loads no class of an event. */
    static final class Recorder {

        private Recorder() {}

        static boolean isStarted() {
            return FlightRecorder.isInitialized();
        }
    }

    /** The fields of all events. */
    @Category("Lockkeeper")
    private abstract static class OfResource extends Event {
        @Label("Name")
        String name = "";

        @Label("Family")
        @Description("lock, semaphore, election ...")
        String family = "";

        @Label("Shared")
        boolean shared;

        @Label("Backend")
        String backend = "";

        @Label("Token")
        @Description("The fencing token; 0 if there is no hold")
        long token;

        final void of(Resource resource, boolean isShared, String kind) {
            name = resource.name();
            family = resource.family().key();
            shared = isShared;
            backend = kind;
        }
    }

    /** The fields of what ends with or without a hold. */
    private abstract static class Ending extends OfResource {
        @Label("Outcome")
        @Description("acquired, handed off, timeout, interrupted, cancelled or failed")
        String outcome = "";
    }

    @Name("io.lockkeeper.Acquire")
    @Label("Distributed Lock Acquire")
    @Description("From the call until the hold, or until there is none")
    @Threshold("20 ms")
    private static final class Acquire extends Ending {}

    @Name("io.lockkeeper.Wait")
    @Label("Distributed Lock Wait")
    @Description("From the first wait for a resource that is not free until the end of the acquisition")
    @Threshold("20 ms")
    private static final class Wait extends Ending {}

    @Name("io.lockkeeper.Lost")
    @Label("Distributed Lock Lost")
    private static final class Lost extends OfResource {
        @Label("Reason")
        String reason = "";
    }
}
