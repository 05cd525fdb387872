package io.lockkeeper.benchmarks;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** One line that tells what happens now; on a terminal only, as the launcher tells. */
final class Progress {

    private static final String BACK = "\r\033[K";

    private final PrintWriter out;
    private final boolean terminal = Boolean.getBoolean("bench.terminal");
    private final long began = System.nanoTime();
    private Duration planned = Duration.ZERO;

    Progress(PrintWriter out) {
        this.out = out;
    }

    void begin(int scenarios, Duration planned) {
        this.planned = planned;
        out.println("bench: " + scenarios + " scenarios, about " + text(planned));
        out.flush();
    }

    void say(String what) {
        if (terminal) {
            out.print(BACK + text(gone()) + " of about " + text(planned) + "  " + what);
            out.flush();
        }
    }

    void clear() {
        if (terminal) {
            out.print(BACK);
            out.flush();
        }
    }

    void end() {
        out.println("bench: took " + text(gone()));
        out.flush();
    }

    private Duration gone() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static String text(Duration time) {
        return String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }
}
