package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
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

    private record Noted(String kind, long acquisition) {}

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<Noted> acquisitions = new ConcurrentLinkedQueue<>();

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

    /** The kinds of the events about one acquisition, in order. */
    List<String> kinds(long acquisition) {
        return acquisitions.stream()
                .filter(noted -> noted.acquisition == acquisition)
                .map(noted -> noted.kind)
                .toList();
    }

    /** The acquisitions that were told of, each once, in order. */
    List<Long> acquisitions() {
        return acquisitions.stream().map(noted -> noted.acquisition).distinct().toList();
    }

    private void noteAcquisition(
            String kind, KeeperEvent.OfAcquisition event, long token, Duration time, Object detail) {
        note(kind, event.resource(), token, time, detail);
        acquisitions.add(new Noted(kind, event.acquisition()));
    }

    private void note(String kind, @Nullable Resource resource, long token, Duration time, Object detail) {
        events.add(new Event(kind, resource, token, time, detail, Thread.currentThread()));
    }

    @Override
    public void requested(KeeperEvent.Requested event) {
        noteAcquisition("requested", event, 0, Duration.ZERO, event.backend());
    }

    @Override
    public void polled(KeeperEvent.Polled event) {
        noteAcquisition("polled", event, 0, Duration.ZERO, "");
    }

    @Override
    public void nested(KeeperEvent.Nested event) {
        noteAcquisition("nested", event, 0, Duration.ZERO, "");
    }

    @Override
    public void failed(KeeperEvent.Failed event) {
        noteAcquisition("failed", event, 0, event.waited(), event.failure());
    }

    @Override
    public void renewalFailed(KeeperEvent.RenewalFailed event) {
        note("renewalFailed", null, 0, event.took(), event.grants());
    }

    @Override
    public void waiting(KeeperEvent.Waiting event) {
        noteAcquisition("waiting", event, 0, Duration.ZERO, "");
    }

    @Override
    public void acquired(KeeperEvent.Acquired event) {
        noteAcquisition("acquired", event, event.token(), event.waited(), event.handedOff());
    }

    @Override
    public void gaveUp(KeeperEvent.GaveUp event) {
        noteAcquisition("gaveUp", event, 0, event.waited(), event.cause());
    }

    @Override
    public void released(KeeperEvent.Released event) {
        noteAcquisition("released", event, event.token(), event.held(), event.outcome());
    }

    @Override
    public void renewed(KeeperEvent.Renewed event) {
        note("renewed", null, 0, event.took(), event.grants());
    }

    @Override
    public void uncertain(KeeperEvent.Uncertain event) {
        noteAcquisition("uncertain", event, event.token(), Duration.ZERO, "");
    }

    @Override
    public void lost(KeeperEvent.Lost event) {
        noteAcquisition("lost", event, event.token(), event.held(), event.loss());
    }

    @Override
    public void storeFailed(KeeperEvent.StoreFailed event) {
        note("storeFailed", event.resource(), 0, Duration.ZERO, event.failure());
    }

    @Override
    public void storeStateChanged(KeeperEvent.StoreStateChanged event) {
        note("storeStateChanged", null, 0, event.outage(), event);
    }
}
