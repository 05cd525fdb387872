package io.lockkeeper.cli.demo;

import java.time.Duration;
import java.util.Locale;

/** What a scene showed. */
sealed interface Result {

    String number();

    String title();

    /** In one line, when the scene is over. */
    String summary();

    /** The cells of the table: sold, oversold, time, remark. */
    String[] cells();

    /** What must not happen under our lock; empty if it did not. */
    String complaint();

    /** Whether a write came late and nobody looked at its token, so that it oversold under any lock. */
    default boolean lateAndUnfenced() {
        return false;
    }

    static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String time(Duration time) {
        return time.toMillis() < 1_000
                ? time.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
    }

    /**
     * A sale.
     *
     * @param ours whether our lock guarded it, so that exactly the stock must be sold
     */
    record Sold(String number, String title, int items, int sold, Duration took, boolean ours, String remark)
            implements Result {

        int oversold() {
            return Math.max(0, sold - items);
        }

        Sold comparedWith(Sold other) {
            double factor = (double) other.took.toNanos() / took.toNanos();
            String faster = String.format(Locale.ROOT, "%.1f times as fast as scene %s", factor, other.number);
            return new Sold(number, title, items, sold, took, ours, faster);
        }

        @Override
        public String summary() {
            return count(sold) + " sold of " + count(items) + " in " + time(took);
        }

        @Override
        public String[] cells() {
            return new String[] {count(sold), count(oversold()), time(took), remark};
        }

        @Override
        public String complaint() {
            return !ours || sold == items ? "" : "Scene " + number + " sold " + sold + " of " + items + " items";
        }
    }

    /**
     * A lock that was freed.
     *
     * @param early whether the other had it before
     */
    record Freed(String number, String title, Duration took, boolean early) implements Result {

        @Override
        public String summary() {
            return "the next one had the lock " + time(took) + " later";
        }

        @Override
        public String[] cells() {
            return new String[] {"", "", time(took), "until the next one had its lock"};
        }

        @Override
        public String complaint() {
            return early ? "Scene " + number + " saw two holders of one lock" : "";
        }
    }

    /**
     * A write that came after the next holder's.
     *
     * @param first the token of the seller that came late
     * @param second the token of the next one
     * @param outcome what the till answered to the late write
     */
    record Late(String number, String title, int sold, boolean fenced, long first, long second, String outcome)
            implements Result {

        @Override
        public boolean lateAndUnfenced() {
            return !fenced && sold > 1;
        }

        @Override
        public String summary() {
            return sold + " sold of 1; " + remark();
        }

        private String remark() {
            return outcome.startsWith("refused")
                    ? "refused: token " + first + " < " + second
                    : "the late write was let through";
        }

        @Override
        public String[] cells() {
            return new String[] {sold + " of 1", Integer.toString(Math.max(0, sold - 1)), "", remark()};
        }

        @Override
        public String complaint() {
            if (first >= second) {
                return "Two holders in turn had the tokens " + first + " and " + second + ", which do not increase";
            }
            return fenced && (sold != 1 || !outcome.startsWith("refused"))
                    ? "A late write was let through in spite of its token " + first + " < " + second
                    : "";
        }
    }
}
