package io.lockkeeper.etcd;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;

/**
 * What is in a claim's key, as one line for people: {@code mode keeper lease fixed|renewed host pid thread note}. Blanks within a word
 * are written as {@code _}, and nothing as {@code -}. The mode is {@code x} (exclusive), {@code X} (exclusive and sticky), {@code s}
 * (shared) or {@code p} with a number of permits.
 *
 * <p><b>Invariant.</b> What cannot be read counts as exclusive: the key of another client, such as {@code etcdctl lock}, excludes ours.
 *
 * @param kind {@code x}, {@code s} or {@code p}
 * @param sticky whether the keeper may keep the grant while nothing holds it
 * @param permits how many; 0 but for {@code p}
 * @param keeper the id that the store was opened with, whatever keeper the holder names; empty for another client
 * @param lease the lease of the claim
 * @param fixed whether it is never renewed
 * @param holder the keeper and thread that claim
 */
record ClaimData(
        char kind, boolean sticky, int permits, String keeper, Duration lease, boolean fixed, HolderInfo holder) {

    static ClaimData of(String keeper, Claim claim) {
        return new ClaimData(
                kind(claim.mode()),
                claim.sticky() && claim.mode() instanceof Mode.Exclusive,
                permits(claim.mode()),
                keeper,
                claim.lease(),
                claim.fixed(),
                claim.holder());
    }

    private static char kind(Mode mode) {
        return mode instanceof Mode.Permits ? 'p' : mode instanceof Mode.Shared ? 's' : 'x';
    }

    private static int permits(Mode mode) {
        return mode instanceof Mode.Permits some ? some.count() : 0;
    }

    /** The same claim with less. */
    ClaimData in(Mode mode) {
        return new ClaimData(kind(mode), false, permits(mode), keeper, lease, fixed, holder);
    }

    /** This claim, of a key that has been given less meanwhile: it stays so. */
    ClaimData asNarrowAs(ClaimData stored) {
        return new ClaimData(stored.kind, stored.sticky, stored.permits, keeper, lease, fixed, holder);
    }

    /** Whether it lets more claims hold beside it than the other one. */
    boolean isLessThan(ClaimData other) {
        return kind == other.kind ? permits < other.permits : other.kind == 'x';
    }

    boolean isShared() {
        return kind == 's';
    }

    boolean isForPermits() {
        return kind == 'p';
    }

    String text() {
        String mode = kind == 'p' ? "p" + permits : sticky ? "X" : String.valueOf(kind);
        return mode + " " + word(keeper) + " " + lease.toMillis() + " " + (fixed ? "fixed" : "renewed") + " "
                + word(holder.host()) + " " + holder.pid() + " " + word(holder.thread()) + " " + holder.note();
    }

    static ClaimData read(String text) {
        String[] words = text.split(" ", 8);
        try {
            String mode = words[0];
            int permits = mode.startsWith("p") ? Integer.parseInt(mode.substring(1)) : 0;
            if (permits > 0 || mode.equals("x") || mode.equals("X") || mode.equals("s")) {
                return new ClaimData(
                        mode.equals("X") ? 'x' : mode.charAt(0),
                        mode.equals("X"),
                        permits,
                        plain(words[1]),
                        Duration.ofMillis(Long.parseLong(words[2])),
                        words[3].equals("fixed"),
                        new HolderInfo(
                                plain(words[1]), plain(words[4]), Long.parseLong(words[5]), plain(words[6]), words[7]));
            }
        } catch (IndexOutOfBoundsException | NumberFormatException notOurs) {
            // Below.
        }
        return new ClaimData('x', false, 0, "", Duration.ZERO, false, new HolderInfo("", "", 0, text));
    }

    private static String word(String text) {
        return text.isEmpty() ? "-" : text.replaceAll("\\s", "_");
    }

    private static String plain(String word) {
        return word.equals("-") ? "" : word;
    }
}
