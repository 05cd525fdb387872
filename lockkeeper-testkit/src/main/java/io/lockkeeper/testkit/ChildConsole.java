package io.lockkeeper.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The child's end of a {@link ChildJvm}: lines in, lines out. It reads on a thread of its own and halts the JVM when the
 * parent is gone, whatever the program does at that moment.
 */
public final class ChildConsole {

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** Call it first thing in {@code main}. */
    public static ChildConsole open() {
        var console = new ChildConsole();
        var reader = new Thread(console::read, "console");
        reader.setDaemon(true);
        reader.start();
        return console;
    }

    private ChildConsole() {}

    /** The next line from the parent. */
    public String receive() throws InterruptedException {
        return lines.take();
    }

    /** Sends the parent a line. */
    public void send(String line) {
        out.println(line);
    }

    private void read() {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException gone) {
            // The same as the end of input.
        } finally {
            Runtime.getRuntime().halt(3);
        }
    }
}
