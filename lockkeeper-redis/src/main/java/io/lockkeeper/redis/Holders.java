package io.lockkeeper.redis;

import io.lockkeeper.HolderInfo;

/** A holder as the text that redis-cli shows: {@code host pid note}, with blanks of the host written as {@code _}. */
final class Holders {

    private Holders() {}

    static String write(HolderInfo holder) {
        String host = holder.host().isEmpty() ? "-" : holder.host().replaceAll("\\s", "_");
        return host + " " + holder.pid() + " " + holder.note();
    }

    static HolderInfo read(String keeper, String text) {
        String[] parts = text.split(" ", 3);
        if (parts.length < 3) {
            return new HolderInfo(keeper, "", 0, text);
        }
        return new HolderInfo(keeper, parts[0], pid(parts[1]), parts[2]);
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
