package io.lockkeeper.spring.boot;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Resource;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one keeper holds and waits for, since when, and which code acquired it.
 *
 * <p><b>Invariant.</b> An acquisition is listed from its request until it ended without a hold, or until its hold was released or
 * lost, and never after that. The event that a future waits may come beside or after the event of its end; so only a request and a
 * grant add an entry, and every other event changes one that is there.
 */
final class KeeperWatch implements KeeperListener {

    /** Where an acquisition is. */
    enum Stage {
        REQUESTED,
        WAITING,
        HELD,
        UNCERTAIN;

        boolean isHeld() {
            return this == HELD || this == UNCERTAIN;
        }
    }

    /**
     * One acquisition.
     *
     * @param since when it began to wait, or when it was granted
     * @param thread the thread that called
     * @param place the line of the application that called; null if there is none on the stack
     * @param token 0 while it waits
     */
    record Entry(
            long number,
            Resource resource,
            boolean shared,
            Stage stage,
            Instant since,
            String thread,
            @Nullable String place,
            long token) {

        Entry at(Stage next, Instant now) {
            return new Entry(number, resource, shared, next, now, thread, place, token);
        }

        Entry with(long granted) {
            return new Entry(number, resource, shared, stage, since, thread, place, granted);
        }
    }

    private static final StackWalker STACK = StackWalker.getInstance();

    private final Clock clock;
    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();

    KeeperWatch(Clock clock) {
        this.clock = clock;
    }

    List<Entry> held() {
        return all(true);
    }

    List<Entry> waiting() {
        return all(false);
    }

    private List<Entry> all(boolean held) {
        return entries.values().stream()
                .filter(entry -> held ? entry.stage.isHeld() : entry.stage == Stage.WAITING)
                .sorted(Comparator.comparing(Entry::since).thenComparing(Entry::number))
                .toList();
    }

    /** How many holds are uncertain. */
    long uncertain() {
        return entries.values().stream()
                .filter(entry -> entry.stage == Stage.UNCERTAIN)
                .count();
    }

    private Entry entry(KeeperEvent.OfAcquisition event, Stage stage) {
        return new Entry(
                event.acquisition(),
                event.resource(),
                event.shared(),
                stage,
                clock.instant(),
                Thread.currentThread().getName(),
                place(),
                0);
    }

    /** The first frame that is neither Lockkeeper's, nor the JDK's, nor a framework's. */
    private static @Nullable String place() {
        return STACK.walk(frames -> frames.filter(frame -> isOfApplication(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.toStackTraceElement().toString())
                .orElse(null));
    }

    static boolean isOfApplication(String className) {
        return !className.startsWith("io.lockkeeper.")
                && !className.startsWith("java.")
                && !className.startsWith("jdk.")
                && !className.startsWith("org.springframework.")
                && !className.startsWith("reactor.")
                && !className.contains("$$");
    }

    @Override
    public void requested(KeeperEvent.Requested event) {
        entries.put(event.acquisition(), entry(event, Stage.REQUESTED));
    }

    @Override
    public void waiting(KeeperEvent.Waiting event) {
        change(event, entry -> entry.stage == Stage.REQUESTED ? entry.at(Stage.WAITING, clock.instant()) : entry);
    }

    @Override
    public void acquired(KeeperEvent.Acquired event) {
        change(event, entry -> entry.at(Stage.HELD, clock.instant()).with(event.token()));
    }

    @Override
    public void uncertain(KeeperEvent.Uncertain event) {
        change(event, entry -> entry.at(Stage.UNCERTAIN, entry.since));
    }

    @Override
    public void nested(KeeperEvent.Nested event) {
        entries.remove(event.acquisition());
    }

    @Override
    public void gaveUp(KeeperEvent.GaveUp event) {
        entries.remove(event.acquisition());
    }

    @Override
    public void failed(KeeperEvent.Failed event) {
        entries.remove(event.acquisition());
    }

    @Override
    public void released(KeeperEvent.Released event) {
        entries.remove(event.acquisition());
    }

    @Override
    public void lost(KeeperEvent.Lost event) {
        entries.remove(event.acquisition());
    }

    /** A renewal that succeeded ends the doubt about what it renewed; which holds those are, their next failure tells. */
    @Override
    public void renewed(KeeperEvent.Renewed event) {
        entries.replaceAll(
                (number, entry) -> entry.stage == Stage.UNCERTAIN ? entry.at(Stage.HELD, entry.since) : entry);
    }

    private void change(KeeperEvent.OfAcquisition event, UnaryOperator<Entry> to) {
        entries.computeIfPresent(event.acquisition(), (number, entry) -> to.apply(entry));
    }
}
