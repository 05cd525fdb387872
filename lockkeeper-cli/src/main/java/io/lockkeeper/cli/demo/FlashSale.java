package io.lockkeeper.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The demonstration: the same customers served by the same processes, first without a lock, then with worse and better
 * ones; and what becomes of a lock when its holder does not come back.
 */
final class FlashSale implements AutoCloseable {

    /** How long after its sender was killed a delayed write arrives; not before the next seller's. */
    private static final Duration HELD_UP = Duration.ofSeconds(1);

    private static final Duration SETTLE = Duration.ofMillis(300);

    private final String url;
    private final List<Path> drivers;
    private final Load load;
    private final String loadName;
    private final Guard ourLock;
    private final Progress progress;
    private final Till till;
    private final Deque<SellerProcess> sellers = new ArrayDeque<>();
    private final String prefix = "demo/" + UUID.randomUUID() + "/";

    /** @param ourLock how the scenes of Lockkeeper are guarded; a test leaves the lock out to see that it is noticed */
    FlashSale(String url, List<Path> drivers, boolean quick, Guard ourLock, Progress progress) throws IOException {
        this.url = url;
        this.drivers = drivers;
        this.load = quick ? Load.QUICK : Load.FULL;
        this.loadName = quick ? "quick" : "full";
        this.ourLock = ourLock;
        this.progress = progress;
        this.till = new Till();
    }

    Load load() {
        return load;
    }

    List<Result> play(boolean leases) throws IOException {
        progress.begin("Starting " + load.processes() + " processes");
        hire(load.processes());
        progress.end("");

        List<Result> results = new ArrayList<>();
        results.add(sale("1", "no lock", Guard.NONE, "two read the same number and both sell"));
        results.add(sale(
                "2",
                "the lock of a blog post",
                Guard.BLOG_POST,
                "a slow sale outlives its lock, then deletes another's"));
        Result.Sold alone = sale("3", "Lockkeeper, one lock", ourLock, "");
        results.add(alone);
        Guard inSegments = ourLock == Guard.LOCK ? Guard.SEGMENTS : ourLock;
        Result.Sold segments = sale("4", "Lockkeeper, " + load.segments() + " segments", inSegments, "");
        results.add(segments.comparedWith(alone));
        results.add(killed());
        results.add(lateWrite("6", "killed, and its write arrives later", false));
        results.add(lateWrite("", "the same, fenced", true));
        if (leases) {
            hire(1);
            results.add(paused("paused past its lease", false));
            results.add(paused("the same, fenced", true));
        }
        return results;
    }

    private void hire(int count) {
        List<SellerProcess> hired = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SellerProcess seller = SellerProcess.start(url, drivers, till);
            sellers.add(seller);
            hired.add(seller);
        }
        hired.forEach(seller -> SellerProcess.await(seller.answer(), "ready"));
    }

    /** @param flaw what is wrong with the guard; nothing is with ours */
    private Result.Sold sale(String number, String title, Guard guard, String flaw) {
        progress.begin(number + "  " + title, till::sold);
        till.open(load.stock(guard));
        long begin = System.nanoTime();
        int process = 0;
        List<CompletableFuture<String>> shifts = new ArrayList<>();
        for (SellerProcess seller : sellers) {
            shifts.add(seller.tell("serve " + guard + " " + prefix + number + " " + loadName + " " + process++));
        }
        shifts.forEach(shift -> SellerProcess.await(shift, "served"));
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Result.Sold result = new Result.Sold(number, title, load.items(), till.sold(), took, flaw.isEmpty(), flaw);
        progress.end(result.summary());
        return result;
    }

    /** Somebody waits for the lock of a seller that is killed. */
    private Result killed() {
        progress.begin("5  a holder is killed with -9");
        String name = prefix + "5";
        SellerProcess victim = sellers.removeLast();
        SellerProcess next = sellers.getFirst();
        victim.ask("take " + name, "took");
        CompletableFuture<String> taken = next.tell("take " + name);
        // Long enough for the next one to have been refused once and to be waiting.
        parkUntil(System.nanoTime() + SETTLE.toNanos());
        boolean early = taken.isDone();
        long begin = System.nanoTime();
        victim.kill();
        SellerProcess.await(taken, "took");
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        next.ask("give", "gave");
        Result result = new Result.Freed("5", "a holder is killed with -9", took, early);
        progress.end(result.summary());
        return result;
    }

    /** One item is left. A seller sells it and is killed while the till has not heard of it; the next one sells it too. */
    private Result lateWrite(String number, String title, boolean fenced) {
        progress.begin((number.isEmpty() ? " " : number) + "  " + title);
        String name = prefix + "6" + fenced;
        till.open(1);
        SellerProcess victim = sellers.removeLast();
        final long first = Long.parseLong(victim.ask("take " + name, "took"));
        victim.ask("look", "saw");
        victim.ask("sell " + word(fenced) + " slowly", "sent");
        victim.kill();
        final long killed = System.nanoTime();
        final long second = sellLastItem(sellers.getFirst(), name, fenced);
        parkUntil(killed + HELD_UP.toNanos());
        String outcome = till.arrive();
        Result result = new Result.Late(number, title, till.sold(), fenced, first, second, outcome);
        progress.end(result.summary());
        return result;
    }

    /** The same with a seller that is not dead, only stopped for longer than its lease. */
    private Result paused(String title, boolean fenced) throws IOException {
        progress.begin("   " + title);
        String name = prefix + "7" + fenced;
        till.open(1);
        SellerProcess sleeper = sellers.getLast();
        final long first = Long.parseLong(sleeper.ask("take " + name, "took"));
        sleeper.ask("look", "saw");
        final long second;
        try (AutoCloseable pause = sleeper.pause()) {
            second = sellLastItem(sellers.getFirst(), name, fenced);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
        String outcome = sleeper.ask("sell " + word(fenced) + " at-once", "");
        Result result = new Result.Late("", title, till.sold(), fenced, first, second, outcome);
        progress.end(result.summary());
        return result;
    }

    private static long sellLastItem(SellerProcess seller, String name, boolean fenced) {
        long token = Long.parseLong(seller.ask("take " + name, "took"));
        seller.ask("look", "saw 1");
        seller.ask("sell " + word(fenced) + " at-once", "sold");
        seller.ask("give", "gave");
        return token;
    }

    private static String word(boolean fenced) {
        return fenced ? "fenced" : "unfenced";
    }

    private static void parkUntil(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        sellers.forEach(SellerProcess::close);
        till.close();
    }
}
