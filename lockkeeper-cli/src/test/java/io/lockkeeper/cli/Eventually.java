package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what must come true. */
public final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Eventually() {}

    public static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("Did not come true within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** The first line of a file, once it is written completely. */
    public static String line(Path file) {
        await(file + " has a line", () -> hasLine(file));
        return read(file).strip();
    }

    static boolean hasLine(Path file) {
        return read(file).endsWith("\n");
    }

    /** A process id that a command has written into a file. */
    public static long pid(Path file) {
        return Long.parseLong(line(file));
    }

    public static void awaitDeath(long pid) {
        await("process " + pid + " runs no more", () -> !runs(pid));
    }

    /** Whether the process is there and not a zombie. */
    public static boolean runs(long pid) {
        if (ProcessHandle.of(pid).isEmpty()) {
            return false;
        }
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.isEmpty()
                ? ProcessHandle.of(pid).isPresent()
                : !stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
