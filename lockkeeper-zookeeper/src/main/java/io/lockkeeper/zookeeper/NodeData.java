package io.lockkeeper.zookeeper;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.spi.Claim;
import java.time.Duration;

/**
 * What is in a claim's node, as one line for people: {@code lease token keeper host pid thread note}. The lease
 * is in milliseconds, with an {@code f} behind it if it is fixed. Blanks within a word are written as {@code _}, and nothing as {@code -}.
 *
 * @param keeper the id that the store was opened with, whatever keeper the holder names
 * @param holder the keeper and thread that claim
 * @param lease the lease of the claim, from when the node was written last if it is fixed
 * @param fixed whether the lease is never renewed
 * @param token the first token of a node that took the place of another one; 0 if it is that of the node's own transaction
 */
record NodeData(String keeper, HolderInfo holder, Duration lease, boolean fixed, long token) {

    static NodeData of(String keeper, Claim claim) {
        return new NodeData(keeper, claim.holder(), claim.lease(), claim.fixed(), 0);
    }

    /** The same with another lease. */
    NodeData withLease(Duration changed) {
        return new NodeData(keeper, holder, changed, fixed, token);
    }

    String text() {
        return lease.toMillis() + (fixed ? "f " : " ") + token + " " + keeper + " " + word(holder.host()) + " "
                + holder.pid() + " " + word(holder.thread()) + " " + holder.note();
    }

    static NodeData read(String text) {
        String[] words = text.split(" ", 7);
        try {
            boolean fixed = words[0].endsWith("f");
            String lease = fixed ? words[0].substring(0, words[0].length() - 1) : words[0];
            return new NodeData(
                    words[2],
                    new HolderInfo(words[2], plain(words[3]), Long.parseLong(words[4]), plain(words[5]), words[6]),
                    Duration.ofMillis(Long.parseLong(lease)),
                    fixed,
                    Long.parseLong(words[1]));
        } catch (IndexOutOfBoundsException | NumberFormatException notOurs) {
            return new NodeData("", new HolderInfo("", "", 0, text), Duration.ZERO, false, 0);
        }
    }

    private static String word(String text) {
        return text.isEmpty() ? "-" : text.replaceAll("\\s", "_");
    }

    private static String plain(String word) {
        return word.equals("-") ? "" : word;
    }
}
