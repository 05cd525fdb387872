package io.lockkeeper.cli.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Tells what goes on while it goes on: a line for each scene, with a count that moves where somebody watches. */
final class Progress implements AutoCloseable {

    private static final Duration STEP = Duration.ofMillis(200);

    private final PrintWriter out;
    private final boolean watched;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private String title = "";
    private @Nullable ScheduledFuture<?> moving;

    /** @param watched whether it is a terminal, where a line can be written again */
    Progress(PrintWriter out, boolean watched) {
        this.out = out;
        this.watched = watched;
    }

    void begin(String scene) {
        title = scene + " ... ";
        out.print(title);
        out.flush();
    }

    void begin(String scene, IntSupplier count) {
        begin(scene);
        if (watched) {
            moving = clock.scheduleAtFixedRate(
                    () -> show(Result.count(count.getAsInt()) + " sold"),
                    STEP.toMillis(),
                    STEP.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private void show(String text) {
        out.print("\r" + title + text);
        out.flush();
    }

    void end(String summary) {
        String done = title;
        title = "";
        if (moving != null) {
            moving.cancel(false);
            moving = null;
            // After what the clock may be printing just now.
            clock.submit(() -> out.print("\r" + done));
            finish(summary);
            return;
        }
        out.println(summary);
        out.flush();
    }

    private void finish(String summary) {
        try {
            clock.submit(() -> {
                        out.println(summary);
                        out.flush();
                    })
                    .get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a line that was begun, so that an error message gets one of its own. */
    @Override
    public void close() {
        clock.shutdownNow();
        if (!title.isEmpty()) {
            out.println();
            out.flush();
        }
    }
}
