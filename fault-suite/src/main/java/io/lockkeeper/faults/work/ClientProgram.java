package io.lockkeeper.faults.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.faults.history.ClientJournal;
import io.lockkeeper.testkit.ChildConsole;
import io.lockkeeper.testkit.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A client: a keeper and some threads that use it. It says {@code ready} and its clock when they work, ends them when it hears
 * {@code stop}, and then says {@code done}. When they do not end it says {@code hung} and writes where they are to its log.
 */
public final class ClientProgram {

    /**
     * What it is told at its start.
     *
     * @param client its name and life, as in the journals
     */
    public record Order(
            String client,
            String url,
            int registers,
            Path folder,
            Duration lease,
            List<String> names,
            int threads,
            long seed) {

        ChildJvm start() {
            return ChildJvm.start(
                    ClientProgram.class,
                    client,
                    url,
                    Integer.toString(registers),
                    folder.toString(),
                    Long.toString(lease.toMillis()),
                    String.join(",", names),
                    Integer.toString(threads),
                    Long.toString(seed));
        }

        static Order of(String[] words) {
            return new Order(
                    words[0],
                    words[1],
                    Integer.parseInt(words[2]),
                    Path.of(words[3]),
                    Duration.ofMillis(Long.parseLong(words[4])),
                    List.of(words[5].split(",")),
                    Integer.parseInt(words[6]),
                    Long.parseLong(words[7]));
        }

        public Path journal() {
            return folder.resolve("client-" + client + ".journal");
        }

        Path log() {
            return folder.resolve("client-" + client + ".log");
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ClientProgram() {}

    public static ChildJvm start(Order order) {
        return order.start();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildConsole console = ChildConsole.open();
        Order order = Order.of(arguments);
        // Before anything logs: stores that fail make many warnings.
        System.setErr(new PrintStream(order.log().toFile(), UTF_8));
        Lockkeeper keeper = connect(order);
        ClientJournal journal = new ClientJournal(order.journal());
        AtomicBoolean stop = new AtomicBoolean();
        var shared = new Worker.Client(keeper, journal, order.names, Way.of(keeper, order.lease), order.lease, stop);
        SplittableRandom seeds = new SplittableRandom(order.seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < order.threads; i++) {
            Worker worker = new Worker(shared, new RegisterLine(order.registers, order.client), seeds.split());
            Thread thread = new Thread(worker, "worker " + i);
            threads.add(thread);
            thread.start();
        }
        console.send("ready " + System.nanoTime());
        String told = console.receive();
        if (!told.startsWith("stop ")) {
            throw new IllegalArgumentException("A client does not know '" + told + "'");
        }
        stop.set(true);
        console.send(end(threads, journal, Duration.ofMillis(Long.parseLong(told.substring(5)))) ? "done" : "hung");
        // The parent ends this process when it has read that.
        console.receive();
    }

    /** Tries for a while, as a service does that starts while its store is not well. */
    private static Lockkeeper connect(Order order) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return Lockkeeper.builder()
                        .lease(order.lease)
                        .note("client " + order.client)
                        .connect(order.url);
            } catch (StoreUnavailableException e) {
                if (deadline - System.nanoTime() < 0) {
                    throw e;
                }
                e.printStackTrace();
            }
        }
    }

    private static boolean end(List<Thread> threads, ClientJournal journal, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
        while (!journal.allTold() && deadline - System.nanoTime() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
        boolean ended = threads.stream().noneMatch(Thread::isAlive);
        if (!ended) {
            Thread.getAllStackTraces().forEach((thread, frames) -> {
                System.err.println("\n" + thread);
                for (StackTraceElement frame : frames) {
                    System.err.println("    at " + frame);
                }
            });
        }
        return ended;
    }
}
