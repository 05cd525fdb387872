package io.lockkeeper.micrometer;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observations of one or several keepers, so that traces show how long a request waited for a lock and how long it held it. Register
 * it with {@link io.lockkeeper.LockkeeperBuilder#listener}.
 *
 * <p>{@value #ACQUIRE} is observed from the call until the hold, or until there is none; {@value #HOLD} from the grant until the release
 * or the loss. Both are children of the observation that was current in the calling thread when it asked for the lock. Neither becomes
 * the current one, since a hold may be released by any thread. Low-cardinality keys are {@code backend}, {@code primitive} and {@code
 * outcome}; high-cardinality ones are {@code lockkeeper.name} and {@code lockkeeper.token}, which are in traces and in no meter.
 *
 * <p><b>Invariant.</b> Every observation that was started is stopped once. An acquisition has one entry; the event that removes it stops what
 * is in it. The events of a hold come after those of its acquisition, and the second end of a hold (released after it was lost) finds
 * no entry.
 */
public final class LockkeeperObservations implements KeeperListener {

    /** The observation of waiting. */
    public static final String ACQUIRE = "lockkeeper.lock.acquire";

    /** The observation of holding. */
    public static final String HOLD = "lockkeeper.lock.hold";

    /** An acquisition or its hold, and the observation in which it was asked for. */
    private record Entry(Observation observation, @Nullable Observation parent) {}

    private final ObservationRegistry registry;
    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();

    /** Observations in that registry. */
    public LockkeeperObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void requested(KeeperEvent.Requested event) {
        if (registry.isNoop()) {
            return;
        }
        Observation parent = registry.getCurrentObservation();
        entries.put(event.acquisition(), new Entry(start(ACQUIRE, "acquire", event, parent), parent));
    }

    private Observation start(String name, String verb, KeeperEvent.OfAcquisition event, @Nullable Observation parent) {
        Resource resource = event.resource();
        Observation observation = Observation.createNotStarted(name, registry)
                .contextualName(verb + " " + Primitives.of(event))
                .lowCardinalityKeyValue("backend", event.backend())
                .lowCardinalityKeyValue("primitive", Primitives.of(event))
                .highCardinalityKeyValue("lockkeeper.name", resource.name());
        if (parent != null) {
            observation.parentObservation(parent);
        }
        return observation.start();
    }

    @Override
    public void waiting(KeeperEvent.Waiting event) {
        Entry entry = entries.get(event.acquisition());
        if (entry != null) {
            entry.observation.event(Observation.Event.of("lockkeeper.waiting", "the lock is not free"));
        }
    }

    @Override
    public void acquired(KeeperEvent.Acquired event) {
        Entry entry = entries.remove(event.acquisition());
        if (entry == null) {
            return;
        }
        KeyValue token = KeyValue.of("lockkeeper.token", String.valueOf(event.token()));
        entry.observation.highCardinalityKeyValue(token);
        stop(entry, "acquired");
        Observation hold = start(HOLD, "hold", event, entry.parent);
        hold.highCardinalityKeyValue(token);
        entries.put(event.acquisition(), new Entry(hold, entry.parent));
    }

    @Override
    public void nested(KeeperEvent.Nested event) {
        end(event, "nested");
    }

    @Override
    public void gaveUp(KeeperEvent.GaveUp event) {
        end(event, event.cause().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void failed(KeeperEvent.Failed event) {
        Entry entry = entries.remove(event.acquisition());
        if (entry != null) {
            entry.observation.error(event.failure());
            stop(entry, "failed");
        }
    }

    @Override
    public void uncertain(KeeperEvent.Uncertain event) {
        Entry entry = entries.get(event.acquisition());
        if (entry != null) {
            entry.observation.event(Observation.Event.of("lockkeeper.uncertain", "a renewal has not succeeded"));
        }
    }

    @Override
    public void released(KeeperEvent.Released event) {
        // A holder may release before the notification of its loss has come.
        end(event, event.outcome() == ReleaseOutcome.NOT_HELD ? "lost" : "released");
    }

    @Override
    public void lost(KeeperEvent.Lost event) {
        Entry entry = entries.remove(event.acquisition());
        if (entry != null) {
            entry.observation.event(Observation.Event.of(
                    "lockkeeper.lost", event.loss().reason().name().toLowerCase(Locale.ROOT)));
            stop(entry, "lost");
        }
    }

    private void end(KeeperEvent.OfAcquisition event, String outcome) {
        Entry entry = entries.remove(event.acquisition());
        if (entry != null) {
            stop(entry, outcome);
        }
    }

    private static void stop(Entry entry, String outcome) {
        entry.observation.lowCardinalityKeyValue("outcome", outcome);
        entry.observation.stop();
    }
}
