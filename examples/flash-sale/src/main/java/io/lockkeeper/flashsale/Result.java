package io.lockkeeper.flashsale;

import java.time.Duration;
import java.util.List;

/**
 * What a way showed in a scene.
 *
 * @param items the stock at the beginning
 * @param sold orders in the books
 * @param left what the stock says at the end
 * @param took from the first customer to the last
 * @param standstill the longest time in which nothing was sold, between two orders
 */
record Result(Way way, Scene scene, int items, int sold, int left, Tally tally, Duration took, Duration standstill) {

    static Result of(Way way, Scene scene, int items, Shop.Books books, Tally tally, Duration took) {
        List<Long> at = books.soldAt();
        long longest = 0;
        for (int i = 1; i < at.size(); i++) {
            longest = Math.max(longest, at.get(i) - at.get(i - 1));
        }
        return new Result(way, scene, items, at.size(), books.left(), tally, took, Duration.ofMillis(longest));
    }

    int oversold() {
        return Math.max(0, sold - items);
    }

    /** Orders that took nothing from the stock. Less than zero would be pieces that are gone without an order. */
    int withoutStock() {
        return sold - (items - left);
    }

    double perSecond() {
        return sold / Math.max(0.001, took.toMillis() / 1_000.0);
    }

    boolean isSafe() {
        return way.isSafeIn(scene);
    }

    /** What must not happen in a way that is safe here; empty if it did not. */
    String complaint() {
        if (!isSafe() || (oversold() == 0 && withoutStock() == 0)) {
            return "";
        }
        return "'" + way.title() + "' sold " + sold + " of " + items + " pieces, with " + left + " left, where "
                + scene.title();
    }
}
