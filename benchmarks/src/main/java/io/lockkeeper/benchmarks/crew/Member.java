package io.lockkeeper.benchmarks.crew;

import io.lockkeeper.benchmarks.job.Context;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.job.Shift;
import io.lockkeeper.benchmarks.job.Slots;
import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.peer.Peer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process with one library in it. It reads a line {@code member order}, answers {@code ready}, reads the times of begin
 * and end and answers {@code done} and its figures, or {@code failed} and why; until there are no more lines.
 */
final class Member {

    private static final int TRIES = 5;

    private Member() {}

    /** @param arguments library, url of the store, file of the slots */
    public static void main(String[] arguments) throws Exception {
        var slots = new Slots(Path.of(arguments[2]));
        try (Peer peer = open(Libraries.named(arguments[0]), arguments[1]);
                var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("up");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                serve(line, in, peer, slots);
            }
        }
        System.exit(0);
    }

    /** Many processes start at a time, so one may be too slow for its own limit at first. */
    private static Peer open(Library library, String url) throws Exception {
        for (int i = 1; i < TRIES; i++) {
            try {
                return library.open().open(url);
            } catch (Exception e) {
                System.err.println(library.title() + " could not connect, and tries again: " + e);
            }
        }
        return library.open().open(url);
    }

    private static void serve(String line, BufferedReader in, Peer peer, Slots slots) throws Exception {
        try {
            int space = line.indexOf(' ');
            var context = new Context(peer, slots, Integer.parseInt(line.substring(0, space)));
            var shift = new Shift(Order.parse(line.substring(space + 1)), context);
            shift.prepare();
            say("ready");
            String[] times = in.readLine().split(" ");
            long compiled = compiled();
            String figures = shift.run(Long.parseLong(times[0]), Long.parseLong(times[1]));
            say("done " + figures + " " + (compiled() - compiled));
        } catch (Exception e) {
            e.printStackTrace();
            say("failed " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    /** The time that its compilers have worked, in milliseconds. */
    private static long compiled() {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
