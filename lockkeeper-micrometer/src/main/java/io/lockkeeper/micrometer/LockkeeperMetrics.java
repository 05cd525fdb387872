package io.lockkeeper.micrometer;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one or several keepers. Register it with {@link io.lockkeeper.LockkeeperBuilder#listener}.
 *
 * <p>Every meter has the tag {@code backend}; those about resources also {@code primitive} ({@code lock}, {@code read-lock},
 * {@code semaphore}, {@code segment}, {@code election}, {@code candidate}). The name of a resource is no tag, unless a function
 * groups names ({@code orders/*}); after 100 groups the others are {@code other}.
 *
 * <p><b>Invariant.</b> An acquisition counts as waiting, or as held, at most once, and not after its end. The event that a future
 * waits may be delivered beside the event of its end, and a hold that was lost may be released afterwards. So each acquisition
 * has one entry, a gauge changes only together with it, and entries are replaced and removed only if they are as expected.
 */
public final class LockkeeperMetrics implements KeeperListener {

    /** The group of names that the function leaves without one. */
    static final String NO_GROUP = "none";

    private final MeterRegistry registry;
    private final @Nullable BoundedNames names;
    private final ConcurrentHashMap<Tags, Counts> counts = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();

    /** Meters without the names of resources. */
    public LockkeeperMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.names = null;
    }

    /**
     * Meters with the tag {@code name}.
     *
     * @param groups the group of a resource's name, such as {@code orders/*} for {@code orders/4711}; if it is empty, the tag is {@code none},
     *     since some registries refuse meters of one name with different tags
     */
    public LockkeeperMetrics(MeterRegistry registry, Function<? super Resource, String> groups) {
        this.registry = registry;
        this.names = new BoundedNames(groups);
    }

    /** Where an acquisition is. */
    private enum Stage {
        REQUESTED,
        WAITING,
        HELD
    }

    private record Entry(Stage stage, Tags tags) {}

    /** What the gauges of one set of tags show. */
    private static final class Counts {
        final AtomicLong waiting = new AtomicLong();
        final AtomicLong held = new AtomicLong();

        AtomicLong of(Stage stage) {
            return stage == Stage.WAITING ? waiting : held;
        }
    }

    @Override
    public void requested(KeeperEvent.Requested event) {
        Tags tags = tags(event);
        counts(tags);
        entries.put(event.acquisition(), new Entry(Stage.REQUESTED, tags));
    }

    @Override
    public void waiting(KeeperEvent.Waiting event) {
        Entry before = entries.get(event.acquisition());
        if (before == null || before.stage != Stage.REQUESTED) {
            return;
        }
        entries.computeIfPresent(event.acquisition(), (number, entry) -> {
            if (entry.stage != Stage.REQUESTED) {
                return entry;
            }
            counts(entry.tags).waiting.incrementAndGet();
            return new Entry(Stage.WAITING, entry.tags);
        });
    }

    @Override
    public void polled(KeeperEvent.Polled event) {
        count("lockkeeper.polls", "Requests of waiters without a notification", tags(event));
    }

    @Override
    public void acquired(KeeperEvent.Acquired event) {
        Tags tags = end(event);
        counts(tags).held.incrementAndGet();
        entries.put(event.acquisition(), new Entry(Stage.HELD, tags));
        acquireTimer(tags, "acquired", event.waited());
        if (event.handedOff() || event.contended()) {
            count(
                    "lockkeeper.handoffs",
                    "Holds that came from another holder",
                    tags.and("kind", event.handedOff() ? "local" : "remote"));
        }
    }

    @Override
    public void nested(KeeperEvent.Nested event) {
        end(event);
    }

    @Override
    public void gaveUp(KeeperEvent.GaveUp event) {
        acquireTimer(end(event), event.cause().name().toLowerCase(Locale.ROOT), event.waited());
    }

    @Override
    public void failed(KeeperEvent.Failed event) {
        acquireTimer(end(event), "failed", event.waited());
    }

    @Override
    public void released(KeeperEvent.Released event) {
        // A holder may release before the notification of its loss has come.
        endHold(event, event.outcome() == ReleaseOutcome.NOT_HELD ? "lost" : "released", event.held());
    }

    @Override
    public void lost(KeeperEvent.Lost event) {
        Tags tags = endHold(event, "lost", event.held());
        String reason = event.loss().reason().name().toLowerCase(Locale.ROOT);
        count("lockkeeper.lost", "Holds that were lost", tags.and("reason", reason));
    }

    @Override
    public void renewalFailed(KeeperEvent.RenewalFailed event) {
        Counter.builder("lockkeeper.renewals.failed")
                .description("Grants that a renewal request did not renew")
                .tags(Tags.of("backend", event.backend()))
                .register(registry)
                .increment(event.grants());
    }

    @Override
    public void storeFailed(KeeperEvent.StoreFailed event) {
        count(
                "lockkeeper.store.errors",
                "Requests that the store did not answer, or answered with a failure",
                Tags.of("backend", event.backend()));
    }

    /** Ends what came before a hold. */
    private Tags end(KeeperEvent.OfAcquisition event) {
        Entry entry = entries.remove(event.acquisition());
        if (entry == null) {
            return tags(event);
        }
        if (entry.stage == Stage.WAITING) {
            counts(entry.tags).waiting.decrementAndGet();
        }
        return entry.tags;
    }

    private Tags endHold(KeeperEvent.OfHold event, String end, Duration held) {
        Entry entry = entries.remove(event.acquisition());
        if (entry == null) {
            return tags(event);
        }
        counts(entry.tags).held.decrementAndGet();
        Timer.builder("lockkeeper.hold")
                .description("The time from the grant until the release or the loss")
                .tags(entry.tags.and("end", end))
                .register(registry)
                .record(held);
        return entry.tags;
    }

    private void acquireTimer(Tags tags, String outcome, Duration waited) {
        Timer.builder("lockkeeper.acquire")
                .description("The time from the call until the hold, or until there is none")
                .tags(tags.and("outcome", outcome))
                .register(registry)
                .record(waited);
    }

    private void count(String meter, String description, Tags tags) {
        Counter.builder(meter)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment();
    }

    private Counts counts(Tags tags) {
        return counts.computeIfAbsent(tags, missing -> {
            Counts made = new Counts();
            gauge("lockkeeper.held", "Holds of this process", missing, made, Stage.HELD);
            gauge("lockkeeper.waiting", "Threads and futures that wait", missing, made, Stage.WAITING);
            return made;
        });
    }

    private void gauge(String meter, String description, Tags tags, Counts shown, Stage stage) {
        Gauge.builder(meter, shown, from -> from.of(stage).get())
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private Tags tags(KeeperEvent.OfAcquisition event) {
        Resource resource = event.resource();
        Tags tags = Tags.of("backend", event.backend(), "primitive", Primitives.of(event));
        if (names == null) {
            return tags;
        }
        String name = names.of(resource);
        return tags.and("name", name.isEmpty() ? NO_GROUP : name);
    }
}
