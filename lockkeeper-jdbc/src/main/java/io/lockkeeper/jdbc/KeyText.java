package io.lockkeeper.jdbc;

/**
 * The text of names and ids in columns that cannot hold a NUL: a NUL is {@code \0}, a backslash is {@code \\}, every other
 * character stands for itself.
 *
 * <p>Different texts stay different, and a text begins with another one exactly if their encoded forms do, so that prefixes can
 * be looked for in the table.
 */
final class KeyText {

    private KeyText() {}

    static String encode(String text) {
        if (text.indexOf('\0') < 0 && text.indexOf('\\') < 0) {
            return text;
        }
        return text.replace("\\", "\\\\").replace("\0", "\\0");
    }

    static String decode(String stored) {
        if (stored.indexOf('\\') < 0) {
            return stored;
        }
        StringBuilder text = new StringBuilder(stored.length());
        for (int i = 0; i < stored.length(); i++) {
            char c = stored.charAt(i);
            if (c == '\\' && i + 1 < stored.length()) {
                i++;
                text.append(stored.charAt(i) == '0' ? '\0' : stored.charAt(i));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
