package io.lockkeeper.redis.client;

/** The hash slot of a key in a cluster. */
final class HashSlot {

    static final int COUNT = 16384;

    /** CRC-16/XMODEM: polynomial 0x1021, byte by byte. */
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
            }
            TABLE[i] = crc & 0xFFFF;
        }
    }

    private HashSlot() {}

    /** The slot of the text in the first braces of the key, if it is not empty; else of the whole key. */
    static int of(byte[] key) {
        int open = indexOf(key, '{', 0);
        int close = open < 0 ? -1 : indexOf(key, '}', open + 1);
        boolean tagged = close > open + 1;
        return crc(key, tagged ? open + 1 : 0, tagged ? close : key.length) % COUNT;
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc(byte[] key, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = (crc << 8 ^ TABLE[(crc >>> 8 ^ key[i]) & 0xFF]) & 0xFFFF;
        }
        return crc;
    }
}
