package io.lockkeeper.faults.drive;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.faults.history.AccessReader;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import io.lockkeeper.faults.history.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One run on one store. Faults come one after the other, each healed before the next begins, in an order that the seed
 * decides; every kind comes once before any comes twice.
 */
public final class Drive {

    /** Within this every name must be in use again after a fault. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Site site;
    private final Plan plan;
    private final Path folder;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final List<Incident> incidents = new ArrayList<>();

    /** @param folder an empty one, which keeps the journals */
    public Drive(Site site, Plan plan, Path folder, Consumer<String> progress) {
        this.site = site;
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
        random = new SplittableRandom(plan.seed());
    }

    public History run() throws IOException, InterruptedException {
        try (Scene scene = new Scene(site, plan, folder);
                Journal journal = new Journal(folder.resolve("faults.journal"))) {
            long begun = System.nanoTime();
            if (!Pauses.until(() -> scene.allUsedSince(begun), PATIENCE)) {
                throw new IllegalStateException("Some names were never acquired, before any fault; see " + folder);
            }
            strike(scene, journal);
            scene.end(PATIENCE);
            List<String> stuck = stuck(scene.names());
            List<Call> calls = new ArrayList<>();
            for (Client client : scene.everyClient()) {
                calls.addAll(client.calls());
            }
            return new History(
                    plan.lease(),
                    scene.names(),
                    calls,
                    AccessReader.read(scene.registersJournal()),
                    incidents,
                    scene.lives(),
                    stuck);
        }
    }

    private void strike(Scene scene, Journal journal) {
        List<Fault> kinds = new ArrayList<>(ClientFaults.on(site));
        kinds.addAll(site.faults());
        Deque<Fault> deck = new ArrayDeque<>();
        long end = System.nanoTime() + plan.atMost().toNanos();
        for (int n = 1; n <= plan.faults() && System.nanoTime() - end < 0; n++) {
            if (deck.isEmpty()) {
                shuffle(kinds);
                deck.addAll(kinds);
            }
            Fault fault = deck.remove();
            progress.accept(n + " of " + plan.faults() + ": " + fault.kind());
            Incident incident = fault.strike(scene, random.split());
            incidents.add(incident);
            boolean recovered = Pauses.until(() -> scene.allUsedSince(incident.expectedFrom()), PATIENCE);
            journal.note(n + " " + incident + (recovered ? "" : " NOT RECOVERED"));
            Pauses.forTime(Pauses.times(Duration.ofMillis(500), 0.2, 1, random));
        }
    }

    private void shuffle(List<Fault> kinds) {
        for (int i = kinds.size() - 1; i > 0; i--) {
            Collections.swap(kinds, i, random.nextInt(i + 1));
        }
    }

    /** Everybody has released by now, or is gone for longer than a lease when this gives up. */
    private List<String> stuck(List<String> names) throws InterruptedException {
        List<String> stuck = new ArrayList<>();
        try (Lockkeeper keeper =
                Lockkeeper.builder().lease(plan.lease()).note("the end").connect(site.url())) {
            Duration wait = plan.lease().plus(PATIENCE);
            for (String name : names) {
                try (ExclusiveHold hold = keeper.lock(name).tryAcquire(wait)) {
                    if (hold == null) {
                        stuck.add(name + " " + keeper.inspect(name));
                    }
                } catch (LockkeeperException e) {
                    stuck.add(name + " " + e);
                }
            }
        }
        return stuck;
    }
}
