package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ProcessSignals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The command {@code etcdctl}. */
public final class EtcdCtl {

    private EtcdCtl() {}

    /** Runs it against these addresses, as in {@code 127.0.0.1:2379}, and returns what it printed. */
    public static String run(String addresses, String... words) {
        Process process = start(addresses, words);
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        "etcdctl " + String.join(" ", words) + " failed with " + process.exitValue() + ": " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            ProcessSignals.kill(process);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while etcdctl ran", e);
        }
    }

    /** Starts it; it ends with this JVM at the latest. What it prints, errors too, is the output of the process. */
    public static Process start(String addresses, String... words) {
        List<String> command = new ArrayList<>(List.of(EtcdPrograms.client().toString(), "--endpoints=" + addresses));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ETCDCTL_API", "3");
        try {
            return ProcessReaper.watch(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start etcdctl", e);
        }
    }
}
