package io.lockkeeper.shell;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Makes claim ids of 128 random bits. Asking the system for many bits at once is much cheaper than for a few. */
final class ClaimIds implements Supplier<String> {

    private static final int BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private final byte[] pool = new byte[BYTES * 64];
    private int used = pool.length;

    @Override
    public String get() {
        lock.lock();
        try {
            if (used == pool.length) {
                random.nextBytes(pool);
                used = 0;
            }
            String id = HexFormat.of().formatHex(pool, used, used + BYTES);
            used += BYTES;
            return id;
        } finally {
            lock.unlock();
        }
    }
}
