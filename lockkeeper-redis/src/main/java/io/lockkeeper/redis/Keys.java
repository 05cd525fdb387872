package io.lockkeeper.redis;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys and channels of one prefix.
 *
 * <p>All keys of a resource are {@code prefix:{family:name}} and a suffix, so a cluster keeps them in one slot. What it
 * keeps: two resources never share a key, and a name chooses neither its slot nor another's key, since braces,
 * percent signs and control characters in it are written as {@code %xx}. Other names stand in the key as they are.
 */
final class Keys {

    static final String DEFAULT_PREFIX = "lockkeeper";

    private static final String UNSAFE_IN_PREFIX = "{}%";

    private final String prefix;

    Keys(String prefix) {
        boolean fits = !prefix.isEmpty() && prefix.length() <= 100;
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            fits &= c > ' ' && c < 127 && UNSAFE_IN_PREFIX.indexOf(c) < 0;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "The prefix '" + prefix
                            + "' cannot begin keys; use 1 to 100 visible ASCII characters other than { } %, such as 'lockkeeper'");
        }
        this.prefix = prefix;
    }

    /** The key that a client of another kind excludes us with. */
    String key(Resource resource) {
        return prefix + ":{" + resource.family().key() + ":" + encode(resource.name()) + "}";
    }

    /** k, s, g, q, l of the scripts. */
    List<byte[]> line(Resource resource) {
        List<byte[]> keys = new ArrayList<>(6);
        addLine(resource, keys);
        return keys;
    }

    void addLine(Resource resource, List<byte[]> keys) {
        byte[] key = bytes(key(resource));
        keys.add(key);
        keys.add(part(key, 's'));
        keys.add(part(key, 'g'));
        keys.add(part(key, 'q'));
        keys.add(part(key, 'l'));
    }

    private static byte[] part(byte[] key, char letter) {
        byte[] part = Arrays.copyOf(key, key.length + 2);
        part[key.length] = ':';
        part[key.length + 1] = (byte) letter;
        return part;
    }

    /** The same, and where it is remembered that the claim was released. */
    List<byte[]> claim(Resource resource, String claimId) {
        List<byte[]> keys = line(resource);
        byte[] key = keys.get(0);
        byte[] rest = bytes(":x:" + claimId);
        byte[] tombstone = Arrays.copyOf(key, key.length + rest.length);
        System.arraycopy(rest, 0, tombstone, key.length, rest.length);
        keys.add(tombstone);
        return keys;
    }

    List<byte[]> latch(Resource latch) {
        String key = key(latch);
        return List.of(bytes(key), bytes(key + ":o"), bytes(key + ":w"));
    }

    byte[] store() {
        return bytes(prefix + ":{store}");
    }

    /** What a guard remembers of a key; in the same slot as that key, so both can be changed in one step. */
    byte[] guard(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        boolean tagged = open >= 0 && close > open + 1;
        if (!tagged && key.indexOf('}') >= 0) {
            throw new IllegalArgumentException("No guard can stand beside the key '" + key
                    + "', whose slot is not that of a part of it; use a key without a lone brace");
        }
        String tag = tagged ? key.substring(open + 1, close) : key;
        return bytes(prefix + ":{" + tag + "}:guard" + (tagged ? ":" + key : ""));
    }

    /** Followed by a keeper's id it is the channel that this keeper listens on. */
    String channels() {
        return prefix + ":keeper:";
    }

    /** Matches all keys of resources whose name begins so. */
    byte[] pattern(String nameBegin) {
        return bytes(glob(prefix) + ":{*:" + glob(encode(nameBegin)) + "*");
    }

    /** The resource that a key belongs to; null if it is none of ours. */
    @Nullable
    Resource resource(byte[] key) {
        String text = new String(key, StandardCharsets.UTF_8);
        String begin = prefix + ":{";
        int colon = text.indexOf(':', begin.length());
        int end = text.indexOf('}');
        if (!text.startsWith(begin) || colon < 0 || end < colon) {
            return null;
        }
        try {
            return new Resource(
                    new Family(text.substring(begin.length(), colon)), decode(text.substring(colon + 1, end)));
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    /** What follows a key in a message, after a space. */
    static String behind(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        // A brace in a name is written otherwise, so this one ends the key.
        int end = text.indexOf("} ");
        return end < 0 ? "" : text.substring(end + 2);
    }

    private static String encode(String name) {
        StringBuilder encoded = null;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = c >= ' ' && c != 127 && c != '{' && c != '}' && c != '%';
            if (!plain && encoded == null) {
                encoded = new StringBuilder(name.length() + 8).append(name, 0, i);
            }
            if (encoded != null) {
                if (plain) {
                    encoded.append(c);
                } else {
                    encoded.append('%').append(hex(c >> 4)).append(hex(c & 15));
                }
            }
        }
        return encoded == null ? name : encoded.toString();
    }

    private static char hex(int digit) {
        return Character.forDigit(digit, 16);
    }

    private static String decode(String encoded) {
        StringBuilder name = new StringBuilder(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%' && i + 2 < encoded.length()) {
                name.append((char) Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                name.append(c);
            }
        }
        return name.toString();
    }

    private static String glob(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' || c == '^') {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
