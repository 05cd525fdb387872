package io.lockkeeper.testkit.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs that are run to their end. */
final class Commands {

    private Commands() {}

    /** What is written to a program's input. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    static void run(Path folder, List<String> command) throws IOException {
        run(folder, command, out -> {});
    }

    /**
     * Runs it in the folder.
     *
     * @throws IOException with what it said, if it fails
     */
    static void run(Path folder, List<String> command, Input input) throws IOException {
        Path log = Files.createTempFile("lockkeeper-command", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            IOException unread = null;
            try (OutputStream out = process.getOutputStream()) {
                input.writeTo(out);
            } catch (IOException e) {
                // The program says why it did not read.
                unread = e;
            }
            int exit = process.waitFor();
            if (exit != 0 || unread != null) {
                throw new IOException(
                        "'" + String.join(" ", command) + "' ended with " + exit + ": "
                                + Files.readString(log, StandardCharsets.ISO_8859_1),
                        unread);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while " + command.get(0) + " ran", e);
        } finally {
            Files.delete(log);
        }
    }

    /** What a stream holds. */
    static Input of(InputStream in) {
        return in::transferTo;
    }

    static Input of(String text) {
        return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
