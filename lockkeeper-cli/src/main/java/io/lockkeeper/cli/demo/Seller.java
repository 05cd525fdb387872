package io.lockkeeper.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process that sells, as the demonstration tells it on standard input. When that ends, the demonstration has ended,
 * and so does this process at once, whatever it is doing.
 */
public final class Seller {

    /** A short lease, so that stores with leases free what a killed seller held while people watch. */
    static final Duration LEASE = Duration.ofSeconds(3);

    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final Lockkeeper keeper;
    private final int port;
    private final String secret;
    private @Nullable ExclusiveHold hold;
    private int seen;

    private Seller(Lockkeeper keeper, int port, String secret) {
        this.keeper = keeper;
        this.port = port;
        this.secret = secret;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        String url = in.readLine();
        String port = in.readLine();
        String secret = in.readLine();
        if (url == null || port == null || secret == null) {
            return;
        }
        try (Lockkeeper keeper =
                Lockkeeper.builder().lease(LEASE).note("demo seller").connect(url)) {
            Seller seller = new Seller(keeper, Integer.parseInt(port), secret);
            Thread reader = new Thread(() -> seller.listen(in), "orders");
            reader.setDaemon(true);
            reader.start();
            say("ready");
            seller.work();
        }
    }

    private void listen(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                orders.add(line);
            }
        } catch (IOException e) {
            // The same as its end.
        }
        Runtime.getRuntime().halt(0);
    }

    private void work() throws IOException, InterruptedException {
        try (TillLine till = new TillLine(port, secret)) {
            while (true) {
                String[] order = orders.take().split(" ");
                try {
                    say(obey(order, till));
                } catch (Exception e) {
                    say("failed " + e);
                }
            }
        }
    }

    private String obey(String[] order, TillLine till) throws Exception {
        switch (order[0]) {
            case "serve" -> {
                serve(
                        Guard.valueOf(order[1]),
                        order[2],
                        order[3].equals("quick") ? Load.QUICK : Load.FULL,
                        Integer.parseInt(order[4]));
                return "served";
            }
            case "take" -> {
                hold = keeper.lock(order[1]).acquire();
                return "took " + hold.token();
            }
            case "look" -> {
                seen = till.look(0);
                return "saw " + seen;
            }
            case "sell" -> {
                boolean fenced = order[1].equals("fenced");
                boolean heldUp = order[2].equals("slowly");
                ExclusiveHold held = held();
                return till.sell(new Sale(0, seen - 1, held.token(), held.id(), fenced, heldUp));
            }
            case "give" -> {
                held().close();
                return "gave";
            }
            default -> throw new IllegalArgumentException("A seller does not know '" + order[0] + "'");
        }
    }

    private ExclusiveHold held() {
        if (hold == null) {
            throw new IllegalStateException("This seller has not taken the lock");
        }
        return hold;
    }

    /** Serves this process's share of the customers, by as many threads as it has clerks. */
    private void serve(Guard guard, String name, Load load, int process) throws Exception {
        int share = load.customers() / load.processes();
        AtomicInteger next = new AtomicInteger(process * share);
        ExecutorService clerks = Executors.newFixedThreadPool(load.clerks());
        try {
            Callable<@Nullable Void> shift = () -> {
                try (TillLine till = new TillLine(port, secret)) {
                    Clerk clerk = new Clerk(keeper, till, name, load);
                    for (int who = next.getAndIncrement(); who < (process + 1) * share; who = next.getAndIncrement()) {
                        clerk.serve(who, guard);
                    }
                }
                return null;
            };
            for (Future<?> done : clerks.invokeAll(Collections.nCopies(load.clerks(), shift))) {
                done.get();
            }
        } finally {
            clerks.shutdownNow();
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
