package io.lockkeeper.file;

import io.lockkeeper.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * File names for resources, one for one.
 *
 * <p>Bytes other than {@code a-z 0-9 - _} are written as {@code %} and two lower-case digits; capitals too, because there
 * are file systems that do not tell them from small letters. So no name has a separator, a dot, or is too long: one that
 * would be is replaced by its SHA-256, and the file itself carries the name, which is compared whenever it is read.
 */
final class FileNames {

    private static final String PLAIN = "n-";
    private static final String HASHED = "h-";
    private static final int LONGEST = 200;
    private static final HexFormat HEX = HexFormat.of();

    private FileNames() {}

    static String fileName(Resource resource) {
        byte[] name = resource.name().getBytes(StandardCharsets.UTF_8);
        StringBuilder encoded = new StringBuilder(PLAIN);
        for (byte b : name) {
            if (isPlain(b)) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.length() <= LONGEST ? encoded.toString() : HASHED + HEX.formatHex(sha256(name));
    }

    /** The name that a file name stands for; null if only the file itself can tell, or if it is none of ours. */
    static @Nullable String name(String fileName) {
        if (!fileName.startsWith(PLAIN)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(fileName.length());
        for (int i = PLAIN.length(); i < fileName.length(); i++) {
            char c = fileName.charAt(i);
            if (c == '%'
                    && i + 2 < fileName.length()
                    && HexFormat.isHexDigit(fileName.charAt(i + 1))
                    && HexFormat.isHexDigit(fileName.charAt(i + 2))) {
                bytes.put((byte) HexFormat.fromHexDigits(fileName, i + 1, i + 3));
                i += 2;
            } else if (c < 128 && isPlain((byte) c)) {
                bytes.put((byte) c);
            } else {
                return null;
            }
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    static boolean isOurs(String fileName) {
        return fileName.startsWith(PLAIN) || fileName.startsWith(HASHED);
    }

    private static boolean isPlain(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
