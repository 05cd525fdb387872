package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Writes down what a keeper tells its listener. */
final class Witness implements KeeperListener {

    /**
     * One event.
     *
     * @param kind the name of the listener's method
     * @param token 0 where there is none
     * @param time how long it was waited or held
     * @param detail whether it was handed on, how it ended, what was lost, why it failed
     */
    record Event(String kind, @Nullable Resource resource, long token, Duration time, Object detail, Thread thread) {}

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    List<Event> events(String kind) {
        return events.stream().filter(event -> event.kind().equals(kind)).toList();
    }

    List<Event> events(String kind, Resource resource) {
        return events.stream()
                .filter(event -> event.kind().equals(kind) && resource.equals(event.resource()))
                .toList();
    }

    /** The one event of this kind. */
    Event only(String kind) {
        List<Event> found = events(kind);
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }

    /** The kinds of all events, in order. */
    List<String> kinds() {
        return events.stream().map(Event::kind).toList();
    }

    private void note(String kind, @Nullable Resource resource, long token, Duration time, Object detail) {
        events.add(new Event(kind, resource, token, time, detail, Thread.currentThread()));
    }

    @Override
    public void waiting(Resource resource) {
        note("waiting", resource, 0, Duration.ZERO, "");
    }

    @Override
    public void acquired(Resource resource, long token, Duration waited, boolean handedOn) {
        note("acquired", resource, token, waited, handedOn);
    }

    @Override
    public void gaveUp(Resource resource, Duration waited) {
        note("gaveUp", resource, 0, waited, "");
    }

    @Override
    public void released(Resource resource, long token, Duration held, ReleaseOutcome outcome) {
        note("released", resource, token, held, outcome);
    }

    @Override
    public void renewed(int grants, Duration took) {
        note("renewed", null, 0, took, grants);
    }

    @Override
    public void uncertain(Resource resource, long token) {
        note("uncertain", resource, token, Duration.ZERO, "");
    }

    @Override
    public void lost(Loss loss) {
        note("lost", loss.resource(), loss.token(), Duration.ZERO, loss);
    }

    @Override
    public void storeFailed(Resource resource, RuntimeException failure) {
        note("storeFailed", resource, 0, Duration.ZERO, failure);
    }
}
