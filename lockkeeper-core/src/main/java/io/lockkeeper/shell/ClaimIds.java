package io.lockkeeper.shell;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Makes claim ids of 128 random bits. Asking the system for many bits at once is much cheaper than for a few. */
final class ClaimIds implements Supplier<String> {

    private static final int BYTES = 16;
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9]{16,64}");

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private final byte[] pool = new byte[BYTES * 64];
    private int used = pool.length;

    @Override
    public String get() {
        byte[] bits = new byte[BYTES];
        lock.lock();
        try {
            if (used == pool.length) {
                random.nextBytes(pool);
                used = 0;
            }
            System.arraycopy(pool, used, bits, 0, BYTES);
            used += BYTES;
        } finally {
            lock.unlock();
        }
        // Not above: all threads of a keeper meet at that lock.
        return HexFormat.of().formatHex(bits);
    }

    /** Whether it can be the id of a claim: made here, or by what another keeper was given as {@code claimIds}. */
    static boolean isOne(String id) {
        return ALLOWED.matcher(id).matches();
    }

    /** An id that the application made. */
    static String checked(String id) {
        if (!ALLOWED.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "The claim id '" + (id.length() > 64 ? id.substring(0, 64) + "…" : id)
                            + "' that claimIds gave is not of 16 to 64 letters and digits; use 128 random bits, in hexadecimal for example");
        }
        return id;
    }
}
