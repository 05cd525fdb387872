package io.lockkeeper.zookeeper;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Any text as part of a path: letters, digits and {@code _} stay, each other byte of its UTF-8 becomes {@code %xx}.
 *
 * <p><b>Invariant.</b> Different texts have different encodings, and none has a slash, a dot, a dash or a character that ZooKeeper
 * refuses. So a text can neither leave its folder nor end the part of the name that it is in.
 */
final class PathText {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private PathText() {}

    static String encode(String text) {
        return encode(text, "_");
    }

    /** @param also what stays beside letters and digits */
    static String encode(String text, String also) {
        if (text.chars().allMatch(each -> isPlain(each, also))) {
            return text;
        }
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            int number = each & 0xff;
            if (isPlain(number, also)) {
                encoded.append((char) number);
            } else {
                encoded.append('%').append(HEX[number >> 4]).append(HEX[number & 15]);
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(int number, String also) {
        return (number >= 'a' && number <= 'z')
                || (number >= 'A' && number <= 'Z')
                || (number >= '0' && number <= '9')
                || also.indexOf(number) >= 0;
    }

    /**
     * The text of an encoding.
     *
     * @throws IllegalArgumentException or {@link IndexOutOfBoundsException} if it is none
     */
    static String decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            char each = encoded.charAt(i);
            if (each == '%') {
                text.write(Integer.parseInt(encoded.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                text.write(each);
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
