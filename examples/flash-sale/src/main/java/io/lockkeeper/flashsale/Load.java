package io.lockkeeper.flashsale;

import java.time.Duration;

/**
 * What every sale has to bear.
 *
 * @param items the stock at the beginning
 * @param itemsInTrouble the stock where a seller is killed or stopped
 * @param clerks how many threads sell in each process
 * @param think how long a seller needs between reading the stock and writing it
 * @param lease of locks where a seller is killed or stopped
 */
record Load(int items, int itemsInTrouble, int clerks, Duration think, Duration lease) {

    static final int PROCESSES = 4;
    static final int SEGMENTS = 10;

    static final Load FULL = new Load(600, 120, 4, Duration.ofMillis(2), Duration.ofSeconds(2));
    static final Load QUICK = new Load(60, 40, 4, Duration.ofMillis(2), Duration.ofMillis(1_500));

    /** How long a customer waits before the sale to them has failed. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** So long that no lease ends because the machine is busy. */
    private static final Duration UNHURRIED = Duration.ofMinutes(1);

    int itemsIn(Scene scene) {
        return scene == Scene.SALE ? items : itemsInTrouble;
    }

    /** How many customers come to a process; one process less is enough to sell the stock. */
    int customersIn(Scene scene) {
        return itemsIn(scene) * 5 / 2 / PROCESSES;
    }

    Duration leaseIn(Scene scene) {
        return scene == Scene.SALE ? UNHURRIED : lease;
    }

    /** For how long a seller is stopped unless the others have sold all before. */
    Duration longestPause() {
        return lease.multipliedBy(3);
    }

    String line() {
        return items + " " + itemsInTrouble + " " + clerks + " " + think.toMillis() + " " + lease.toMillis();
    }

    static Load parse(String line) {
        String[] parts = line.split(" ");
        return new Load(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Duration.ofMillis(Long.parseLong(parts[3])),
                Duration.ofMillis(Long.parseLong(parts[4])));
    }
}
