package io.lockkeeper.flashsale;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Plays the scenes: the same stock, sold by the same processes, in one way after the other. */
final class Sale implements AutoCloseable {

    /** Before which write of its process a clerk is held up: after a few pieces were sold. */
    private static final int HOLD_UP_AT = 6;

    private final String url;
    private final String redis;
    private final Load load;
    private final Shop shop;
    private final PrintWriter out;
    private final List<SellerProcess> sellers = new ArrayList<>();

    /** @param redis the URL of a Redis; empty if there is none */
    Sale(String url, String redis, Load load, Shop shop, PrintWriter out) {
        this.url = url;
        this.redis = redis;
        this.load = load;
        this.shop = shop;
        this.out = out;
    }

    void hire() throws IOException {
        List<SellerProcess> hired = new ArrayList<>();
        while (sellers.size() < Load.PROCESSES) {
            SellerProcess seller = SellerProcess.start(url, redis, load);
            sellers.add(seller);
            hired.add(seller);
        }
        for (SellerProcess seller : hired) {
            SellerProcess.await(seller.answer(), "ready");
        }
    }

    /** Until the classes of the sellers are loaded; what it shows counts for nothing. */
    void warmUp() throws IOException, SQLException {
        play(Way.ONE_STATEMENT, Way.ONE_STATEMENT, Scene.SALE);
    }

    /**
     * Plays a scene.
     *
     * @param way whose promise is looked at
     * @param asIf the way that the sellers go, the same one unless a test wants to see a promise broken
     */
    Result play(Way way, Way asIf, Scene scene) throws IOException, SQLException {
        out.print("  " + way.title() + " ... ");
        out.flush();
        hire();
        int items = load.itemsIn(scene);
        shop.stock(items, asIf == Way.SEGMENTS ? Load.SEGMENTS : 1);
        String order = asIf + " " + scene + " " + "sale-" + UUID.randomUUID() + " ";
        long begin = System.nanoTime();
        Tally tally = Tally.sum(
                switch (scene) {
                    case SALE -> served(started(sellers, order));
                    case KILL -> withAKill(order);
                    case PAUSE -> withAPause(order);
                });
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Result result = Result.of(way, scene, items, shop.books(), tally, took);
        out.println(result.sold() + " sold of " + items);
        return result;
    }

    private static List<CompletableFuture<String>> started(List<SellerProcess> sellers, String order)
            throws IOException {
        List<CompletableFuture<String>> shifts = new ArrayList<>();
        for (SellerProcess seller : sellers) {
            seller.say(order + 0);
            shifts.add(seller.answer());
        }
        return shifts;
    }

    private static List<Tally> served(List<CompletableFuture<String>> shifts) throws IOException {
        List<Tally> tallies = new ArrayList<>();
        for (CompletableFuture<String> shift : shifts) {
            tallies.add(Tally.parse(SellerProcess.await(shift, "served")));
        }
        return tallies;
    }

    /** One seller begins, and is somewhere between reading and writing when the others begin. */
    private SellerProcess heldUp(String order) throws IOException {
        SellerProcess victim = sellers.get(0);
        victim.say(order + HOLD_UP_AT);
        SellerProcess.await(victim.answer(), "holding");
        return victim;
    }

    /** What the killed one did is in the books only. */
    private List<Tally> withAKill(String order) throws IOException {
        SellerProcess victim = heldUp(order);
        List<CompletableFuture<String>> others = started(sellers.subList(1, sellers.size()), order);
        victim.kill();
        sellers.remove(0);
        return served(others);
    }

    private List<Tally> withAPause(String order) throws IOException {
        SellerProcess victim = heldUp(order);
        List<CompletableFuture<String>> others;
        try (SellerProcess.Pause pause = victim.pause()) {
            others = started(sellers.subList(1, sellers.size()), order);
            awaitAll(others, load.longestPause());
        }
        CompletableFuture<String> last = victim.answer();
        victim.say("go");
        List<CompletableFuture<String>> all = new ArrayList<>(others);
        all.add(last);
        return served(all);
    }

    private static void awaitAll(List<CompletableFuture<String>> shifts, Duration atMost) {
        try {
            CompletableFuture.allOf(shifts.toArray(CompletableFuture[]::new))
                    .get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // They wait for the one that is stopped.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        sellers.forEach(SellerProcess::close);
    }
}
