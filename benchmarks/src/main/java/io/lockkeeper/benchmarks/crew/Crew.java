package io.lockkeeper.benchmarks.crew;

import io.lockkeeper.benchmarks.job.Histogram;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.job.Slots;
import io.lockkeeper.benchmarks.peer.Library;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Processes with one library on one store. They are started when they are first needed and stay for many rounds. */
public final class Crew implements AutoCloseable {

    /** From the order to begin until the beginning: for all processes to hear it. */
    private static final Duration NOTICE = Duration.ofMillis(20);

    private static final int AT_ONCE = 4;

    private final Library library;
    private final String url;
    private final Path file;
    private final Slots slots;
    private final List<Child> members = new ArrayList<>();
    private int rounds;

    public Crew(Library library, String url) {
        this.library = library;
        this.url = url;
        try {
            file = Files.createTempFile("lockkeeper-bench", ".slots");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary file", e);
        }
        file.toFile().deleteOnExit();
        slots = new Slots(file);
    }

    /** Starts processes until there are this many; a few at a time, so that each gets a processor. */
    public void muster(int count) {
        while (members.size() < count) {
            int first = members.size();
            for (int i = first; i < Math.min(count, first + AT_ONCE); i++) {
                members.add(Child.start(Member.class, library.id(), url, file.toString()));
            }
            members.subList(first, members.size()).forEach(member -> member.expect("up"));
        }
    }

    /**
     * Lets this many processes work for this long. Each order learns the number of the round and of the processes.
     *
     * @throws IllegalStateException if one of them failed, or an update under the lock was lost
     */
    public Round round(Order given, int count, Duration time, Meter meter) {
        muster(count);
        Order order = given.with("round", rounds++).with("processes", count);
        List<Child> working = members.subList(0, count);
        slots.clear();
        for (int i = 0; i < count; i++) {
            working.get(i).send(i + " " + order.line());
        }
        working.forEach(member -> member.expect("ready"));
        long begin = System.nanoTime() + NOTICE.toNanos();
        working.forEach(member -> member.send(begin + " " + (begin + time.toNanos())));
        sleepUntil(begin);
        meter.begin();
        sleepUntil(begin + time.toNanos());
        meter.end();
        List<long[]> shares = new ArrayList<>();
        var waits = new Histogram();
        long updates = 0;
        long compiling = 0;
        for (Child member : working) {
            String[] words = (member.expect("done") + " ").split(" ", -1);
            shares.add(numbers(words[0]));
            updates += Arrays.stream(numbers(words[1])).sum();
            waits.add(Histogram.parse(words[2]));
            compiling += Long.parseLong(words[3]);
        }
        long counted = slots.sum(0);
        if (counted != updates) {
            throw new IllegalStateException(library.title() + " did not exclude: of " + updates + " updates "
                    + (updates - counted) + " were lost in " + order.line());
        }
        return new Round(time, shares, waits, Duration.ofMillis(compiling));
    }

    private static void sleepUntil(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
    }

    /** The processor time of all its processes. */
    public Duration cpu() {
        return members.stream().map(Child::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        members.forEach(Child::close);
        members.clear();
        file.toFile().delete();
    }
}
