package io.lockkeeper.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Tells what goes on while it goes on: a line for each scene, with a count that moves where somebody watches. */
final class Progress implements AutoCloseable {

    private static final Duration STEP = Duration.ofMillis(200);

    private final PrintWriter out;
    private final boolean watched;
    private final ReentrantLock turn = new ReentrantLock();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "progress");
        thread.setDaemon(true);
        return thread;
    });

    /** The line that was begun; empty between two. */
    private String line = "";

    private @Nullable IntSupplier sold;

    /** @param watched whether it is a terminal, where a line can be written again */
    Progress(PrintWriter out, boolean watched) {
        this.out = out;
        this.watched = watched;
        if (watched) {
            clock.scheduleAtFixedRate(this::move, STEP.toMillis(), STEP.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void begin(String scene) {
        begin(scene, null);
    }

    /** @param sold the count that moves */
    void begin(String scene, @Nullable IntSupplier sold) {
        turn.lock();
        try {
            line = scene + " ... ";
            this.sold = sold;
            out.print(line);
            out.flush();
        } finally {
            turn.unlock();
        }
    }

    private void move() {
        turn.lock();
        try {
            if (!line.isEmpty() && sold != null) {
                out.print("\r" + line + Result.count(sold.getAsInt()) + " sold");
                out.flush();
            }
        } finally {
            turn.unlock();
        }
    }

    /** The summary is longer than the count, so it covers what the line showed last. */
    void end(String summary) {
        turn.lock();
        try {
            out.println((watched ? "\r" + line : "") + summary);
            out.flush();
            line = "";
        } finally {
            turn.unlock();
        }
    }

    /** Ends a line that was begun, so that an error message gets one of its own. */
    @Override
    public void close() {
        clock.shutdownNow();
        turn.lock();
        try {
            if (!line.isEmpty()) {
                out.println();
                out.flush();
            }
        } finally {
            turn.unlock();
        }
    }
}
