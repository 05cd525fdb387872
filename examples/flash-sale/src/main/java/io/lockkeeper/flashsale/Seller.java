package io.lockkeeper.flashsale;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A process that sells, as it is told on standard input. When that ends, the sale has ended, and so does this process at once,
 * whatever it is doing.
 */
public final class Seller {

    /** That a seller loses its lock is what the sale is about; the table tells it. Loggers that nobody keeps are forgotten. */
    private static final Logger LOG = Logger.getLogger("io.lockkeeper");

    private final String url;
    private final Load load;
    private final Lockkeeper inDatabase;
    private final @Nullable Lockkeeper inRedis;
    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private volatile @Nullable Pace pace;

    private Seller(String url, Load load, Lockkeeper inDatabase, @Nullable Lockkeeper inRedis) {
        this.url = url;
        this.load = load;
        this.inDatabase = inDatabase;
        this.inRedis = inRedis;
    }

    /** Takes nothing from the command line: everybody can read that, and a URL may have a password. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        LOG.setLevel(Level.OFF);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        String url = in.readLine();
        String redis = in.readLine();
        String load = in.readLine();
        if (url == null || redis == null || load == null) {
            return;
        }
        try {
            Seller seller = new Seller(
                    url,
                    Load.parse(load),
                    Lockkeeper.of(JdbcBackend.builder()
                            .url(url)
                            .tablePrefix(Shop.LOCK_TABLES)
                            .build()),
                    redis.isEmpty() ? null : Lockkeeper.connect(redis));
            Thread reader = new Thread(() -> seller.listen(in), "orders");
            reader.setDaemon(true);
            reader.start();
            say("ready");
            seller.work();
        } catch (RuntimeException e) {
            say("failed " + e);
        }
    }

    private void listen(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Pace current = pace;
                if (line.equals("go") && current != null) {
                    current.goOn();
                } else {
                    orders.add(line);
                }
            }
        } catch (IOException e) {
            // The same as its end.
        }
        Runtime.getRuntime().halt(0);
    }

    private void work() throws InterruptedException {
        while (true) {
            String[] order = orders.take().split(" ");
            try {
                say(serve(Way.valueOf(order[0]), Scene.valueOf(order[1]), order[2], Integer.parseInt(order[3])));
            } catch (Exception e) {
                say("failed " + e);
            }
        }
    }

    /** Serves the customers that come to this process, and tells how it went. */
    private String serve(Way way, Scene scene, String lockName, int holdUpAt) throws Exception {
        Pace now = new Pace(load.think(), holdUpAt, () -> say("holding"));
        pace = now;
        AtomicInteger customers = new AtomicInteger(load.customersIn(scene));
        ExecutorService clerks = Executors.newFixedThreadPool(load.clerks());
        try {
            Callable<Tally> shift = () -> {
                try (Connection connection = DriverManager.getConnection(url)) {
                    return shift(
                            checkout(way, connection),
                            new Desk(connection, now, lockName, load.leaseIn(scene)),
                            customers);
                }
            };
            List<Tally> tallies = new ArrayList<>();
            for (Future<Tally> done : clerks.invokeAll(Collections.nCopies(load.clerks(), shift))) {
                tallies.add(done.get());
            }
            return "served " + Tally.sum(tallies).line();
        } finally {
            clerks.shutdownNow();
        }
    }

    private Checkout checkout(Way way, Connection connection) {
        return switch (way) {
            case NO_LOCK -> new UnlockedCheckout();
            case ROW_LOCK -> new RowLockCheckout();
            case VERSION -> new VersionCheckout(new KeptConnection(connection));
            case ONE_STATEMENT -> new OneStatementCheckout();
            case LOCK_TABLE -> new LockTableCheckout();
            case SAME_DATABASE -> new KeeperCheckout(inDatabase);
            case REDIS -> new FencedCheckout(redis());
            case SEGMENTS -> new SegmentCheckout(inDatabase);
        };
    }

    private Lockkeeper redis() {
        if (inRedis == null) {
            throw new IllegalStateException("This seller was told of no Redis");
        }
        return inRedis;
    }

    /** Until no customer is left, or nothing that could be sold to them. */
    private static Tally shift(Checkout checkout, Desk desk, AtomicInteger customers) throws Exception {
        List<Long> micros = new ArrayList<>();
        int failures = 0;
        while (customers.getAndDecrement() > 0) {
            long begin = System.nanoTime();
            Outcome outcome = served(checkout, desk);
            if (outcome == Outcome.SOLD_OUT) {
                break;
            }
            micros.add((System.nanoTime() - begin) / 1_000);
            failures += outcome == Outcome.FAILED ? 1 : 0;
        }
        return new Tally(desk.attempts(), failures, micros);
    }

    /** A database may end a transaction for another one's sake; that customer is sent away. */
    private static Outcome served(Checkout checkout, Desk desk) throws SQLException, InterruptedException {
        try {
            return checkout.serve(desk);
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            if (state.startsWith("40") || state.equals("HYT00") || state.equals("55P03")) {
                return Outcome.FAILED;
            }
            throw e;
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
