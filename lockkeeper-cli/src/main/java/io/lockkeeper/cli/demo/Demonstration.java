package io.lockkeeper.cli.demo;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import io.lockkeeper.cli.Table;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plays the flash sale and tells what it showed. */
public final class Demonstration {

    private final PrintWriter out;
    private final boolean quick;
    private final List<Path> drivers;
    private final Guard ourLock;

    /** @param drivers jars that the processes need beside their class path */
    public Demonstration(PrintWriter out, boolean quick, List<Path> drivers) {
        this(out, quick, drivers, Guard.LOCK);
    }

    Demonstration(PrintWriter out, boolean quick, List<Path> drivers, Guard ourLock) {
        this.out = out;
        this.quick = quick;
        this.drivers = drivers;
        this.ourLock = ourLock;
    }

    /**
     * @param url the store; null for a folder of its own that is deleted afterwards
     * @return the exit code: not 0 if our lock let two sell at once, or a fence let a late write through
     */
    public int play(@Nullable String url) throws IOException {
        if (url != null) {
            return playOn(DatabaseUrl.isOne(url) ? DatabaseUrl.withTables(url) : url);
        }
        Path folder = Files.createTempDirectory("lockkeeper-demo");
        Thread cleaning = new Thread(
                () -> {
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
                    delete(folder);
                },
                "cleaning up");
        Runtime.getRuntime().addShutdownHook(cleaning);
        try {
            return playOn("file:" + folder);
        } finally {
            delete(folder);
            Runtime.getRuntime().removeShutdownHook(cleaning);
        }
    }

    private int playOn(String url) throws IOException {
        boolean leases = leases(url);
        Lockkeeper.connect(url).close(); // If that fails, it says why, once and not from each seller.
        long begin = System.nanoTime();
        List<Result> results;
        try (Progress progress = new Progress(out, Boolean.getBoolean("lockkeeper.terminal"));
                FlashSale sale = new FlashSale(url, drivers, quick, ourLock, progress)) {
            tell(sale.load());
            results = sale.play(leases);
        }
        return conclude(results, Duration.ofNanos(System.nanoTime() - begin));
    }

    private void tell(Load load) {
        out.printf(
                Locale.ROOT,
                "A flash sale: %,d items, %,d customers, %d processes with %d clerks each.%n",
                load.items(),
                load.customers(),
                load.processes(),
                load.clerks());
        out.printf(
                Locale.ROOT,
                "A sale reads the stock, takes %d ms, and writes the stock. One customer in %d needs %d ms.%n%n",
                load.sale().toMillis(),
                load.slowEvery(),
                load.slowSale().toMillis());
    }

    private int conclude(List<Result> results, Duration took) {
        Table table = new Table("", "SCENE", ">SOLD", ">OVERSOLD", ">TIME", "");
        for (Result result : results) {
            String[] cells = result.cells();
            table.row(result.number(), result.title(), cells[0], cells[1], cells[2], cells[3]);
        }
        out.println();
        out.print(table);
        out.println();
        List<String> complaints = results.stream()
                .map(Result::complaint)
                .filter(text -> !text.isEmpty())
                .toList();
        if (complaints.isEmpty()) {
            out.println("With Lockkeeper's lock exactly the stock was sold.");
            if (results.stream().anyMatch(Result::lateAndUnfenced)) {
                out.println(
                        "No lock stops a write that is on its way when its holder dies or loses the lock: unfenced, it"
                                + " oversold; fenced, its token was refused.");
            }
            out.println("(" + Result.time(took) + ")");
        } else {
            complaints.forEach(text -> out.println("FAILED: " + text + "."));
        }
        out.flush();
        return complaints.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Whether grants of that store end by its clock, so that a holder can outstay its lease. */
    private static boolean leases(String url) {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? url : url.substring(0, colon).toLowerCase(Locale.ROOT);
        if (scheme.equals("memory")) {
            throw new CliException(
                    ExitCode.USAGE,
                    "The store memory: lives inside one process, and the demonstration needs several;"
                            + " use file:/path or a server");
        }
        for (BackendProvider provider : ServiceLoader.load(BackendProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                try (Backend backend = provider.create(url)) {
                    return backend.capabilities().contains(Capability.EXPIRES);
                }
            }
        }
        return false; // The sellers' keepers say what is wrong with it.
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It is in the folder for temporary files.
        }
    }
}
