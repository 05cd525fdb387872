package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ServerCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder of one server, which its user owns: its data and its log. */
record ServerFolder(Path path) {

    static ServerFolder create(String prefix) {
        try {
            Path path = Files.createTempDirectory(prefix);
            ProcessReaper.deleteAtEnd(path);
            Account.give(path);
            return new ServerFolder(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder whose data is a copy of an empty database. */
    static ServerFolder copyOf(Path data, String prefix) {
        ServerFolder folder = create(prefix);
        try {
            List<String> copy =
                    List.of("cp", "-R", data.toString(), folder.data().toString());
            Commands.run(folder.path, Account.command(copy));
            return folder;
        } catch (IOException e) {
            folder.delete();
            throw new UncheckedIOException(e);
        }
    }

    Path data() {
        return path.resolve("data");
    }

    private Path logFile() {
        return path.resolve("log");
    }

    /** Starts a program as the server's user; what it writes is added to the log. */
    Process start(List<String> command) {
        try {
            return ProcessReaper.watch(new ProcessBuilder(Account.command(command))
                    .directory(path.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.get(0), e);
        }
    }

    String log() {
        return logSince(0);
    }

    /** The length of the log, to see later what was added. */
    long mark() {
        try {
            return Files.exists(logFile()) ? Files.size(logFile()) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String logSince(long mark) {
        try {
            byte[] all = Files.exists(logFile()) ? Files.readAllBytes(logFile()) : new byte[0];
            return new String(all, (int) mark, all.length - (int) mark, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        try {
            ServerCache.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
