package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ServerCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A wall clock of servers and other programs that steps when it is told to. It is a small library that is put before that of the system in the
 * programs that are started with it ({@link PostgresOptions#clock}, {@link MariaDbOptions#clock}, {@link #command}). It is compiled when the first
 * clock is made, so a C compiler ({@code cc}) must be there, on Linux.
 *
 * <p>Only the wall clock steps. What a server waits for by a clock that never steps, or has a timer for, goes on as before.
 */
public final class SteppedClock implements AutoCloseable {

    private final Path folder;
    private final Path library;
    private Duration shift = Duration.ZERO;
    private String zone = "";

    private SteppedClock(Path folder, Path library) {
        this.folder = folder;
        this.library = library;
    }

    /** A clock that is right as yet. */
    public static SteppedClock create() {
        Path library = Library.FOLDER.resolve("clock.so");
        try {
            // Servers of another user read it.
            Path folder = Files.createTempDirectory("lockkeeper-clock");
            ProcessReaper.deleteAtEnd(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            var clock = new SteppedClock(folder, library);
            Files.write(clock.file(), new byte[Long.BYTES]);
            Files.setPosixFilePermissions(clock.file(), PosixFilePermissions.fromString("rw-r--r--"));
            return clock;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Library {
        static final Path FOLDER = compiled();

        private static Path compiled() {
            byte[] source = source();
            return ServerCache.folder("clock-" + ServerCache.digest(source), folder -> {
                Files.write(folder.resolve("clock.c"), source);
                List<String> compile = List.of("cc", "-shared", "-fPIC", "-O2", "-o", "clock.so", "clock.c", "-ldl");
                Commands.run(folder, compile);
            });
        }

        private static byte[] source() {
            try (InputStream in = SteppedClock.class.getResourceAsStream("stepped-clock.c")) {
                return Objects.requireNonNull(in).readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Path file() {
        return folder.resolve("shift");
    }

    /** Gives the programs that are started from now on this time zone, as the variable {@code TZ} has it. */
    public SteppedClock zone(String name) {
        zone = name;
        return this;
    }

    /** The zone that was set, or nothing. */
    public String zone() {
        return zone;
    }

    /** The command, run with this clock. */
    public List<String> command(List<String> command) {
        List<String> words = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library, "LOCKKEEPER_CLOCK=" + file()));
        if (!zone.isEmpty()) {
            words.add("TZ=" + zone);
        }
        words.addAll(command);
        return words;
    }

    /** Steps forward, or back if it is negative. Takes effect at once, in all servers that have this clock. */
    public void step(Duration step) {
        set(shift.plus(step));
    }

    /** Shows from now on the real time plus this. */
    public void set(Duration shift) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(0, shift.toNanos());
        // All eight bytes in one write into the page that servers have mapped: none sees half of it.
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            channel.write(bytes, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.shift = shift;
    }

    /** By how much it differs from the real time. */
    public Duration shift() {
        return shift;
    }

    /** Removes its file; servers that still run keep the time that it showed last. */
    @Override
    public void close() {
        try {
            ServerCache.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
