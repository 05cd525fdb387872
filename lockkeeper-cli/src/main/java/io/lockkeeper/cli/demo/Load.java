package io.lockkeeper.cli.demo;

import java.time.Duration;

/**
 * What every scene has to bear. A sale reads the stock, takes its time, and writes the stock: a seller that reads in between
 * sells the same item again. Every so often a customer pays slowly, for longer than the lock of the blog post lasts.
 *
 * @param items the stock at the beginning
 * @param customers how many want one item each, of all processes
 * @param processes how many processes sell
 * @param clerks how many threads sell in each of them
 * @param sale how long a sale takes
 * @param slowSale how long a slow one takes
 * @param slowEvery how many customers to one that is slow
 * @param segments into how many parts the stock is cut for a segmented lock
 * @param blogExpiry when the lock of the blog post ends by itself
 */
record Load(
        int items,
        int customers,
        int processes,
        int clerks,
        Duration sale,
        Duration slowSale,
        int slowEvery,
        int segments,
        Duration blogExpiry) {

    static final Load FULL = of(1_000);
    /** For tests and the impatient; as many slow customers all the same. */
    static final Load QUICK = of(200);

    private static Load of(int items) {
        return new Load(
                items,
                2 * items,
                4,
                4,
                Duration.ofMillis(5),
                Duration.ofMillis(120),
                items / 10,
                10,
                Duration.ofMillis(60));
    }

    /** How much of the stock each part gets. */
    int[] stock(Guard guard) {
        int parts = guard == Guard.SEGMENTS ? segments : 1;
        int[] stock = new int[parts];
        for (int i = 0; i < items; i++) {
            stock[i % parts]++;
        }
        return stock;
    }

    Duration saleOf(int customer) {
        return customer % slowEvery == slowEvery / 2 ? slowSale : sale;
    }
}
