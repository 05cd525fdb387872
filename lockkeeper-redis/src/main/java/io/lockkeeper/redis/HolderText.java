package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;

import io.lockkeeper.HolderInfo;
import java.util.Arrays;

/**
 * Holders as the text that redis-cli shows: {@code keeper host pid thread note}. Blanks of host and thread are written as
 * {@code _}, and nothing as {@code -}. Those of one keeper differ in the thread alone, so the rest is made once.
 *
 * <p>Invariant: the first word is the id that the store was opened with, whatever keeper a holder names, since scripts send
 * signals to the channel of that id. With another word there, a waiter would receive no signals and depend on polling.
 */
final class HolderText {

    private final String id;
    private final HolderInfo keeper;
    private final byte[] begin;
    private final byte[] end;

    HolderText(String id, HolderInfo keeper) {
        this.id = id;
        this.keeper = keeper;
        this.begin = bytes(begin(keeper));
        this.end = bytes(end(keeper));
    }

    byte[] write(HolderInfo holder) {
        if (!isOfKeeper(holder)) {
            return bytes(begin(holder) + word(holder.thread()) + end(holder));
        }
        byte[] thread = bytes(word(holder.thread()));
        byte[] text = Arrays.copyOf(begin, begin.length + thread.length + end.length);
        System.arraycopy(thread, 0, text, begin.length, thread.length);
        System.arraycopy(end, 0, text, begin.length + thread.length, end.length);
        return text;
    }

    /** Mostly they are the very same texts, which is found out at once. */
    private boolean isOfKeeper(HolderInfo holder) {
        return holder.pid() == keeper.pid()
                && holder.note().equals(keeper.note())
                && holder.host().equals(keeper.host());
    }

    private String begin(HolderInfo holder) {
        return id + " " + word(holder.host()) + " " + holder.pid() + " ";
    }

    private static String end(HolderInfo holder) {
        return " " + holder.note();
    }

    private static String word(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i))) {
                return text.replaceAll("\\s", "_");
            }
        }
        return text.isEmpty() ? "-" : text;
    }

    static HolderInfo read(String keeper, String text) {
        String[] parts = text.split(" ", 4);
        if (parts.length < 4) {
            return new HolderInfo(keeper, "", 0, text);
        }
        return new HolderInfo(keeper, parts[0], pid(parts[1]), parts[2].equals("-") ? "" : parts[2], parts[3]);
    }

    /** A client of another kind that holds the key. */
    static HolderInfo foreign(String value) {
        return new HolderInfo("", "", 0, "not a keeper: " + (value.length() > 100 ? value.substring(0, 100) : value));
    }

    private static long pid(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
