package io.lockkeeper.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The folder of one server: its settings, which some servers rewrite themselves, and its log. */
record RedisFolder(Path path, Path program, boolean sentinel) {

    static RedisFolder create(RedisOptions options, int port, int tlsPort) {
        try {
            Path path = Files.createTempDirectory("lockkeeper-redis");
            List<String> settings = new ArrayList<>(options.lines());
            settings.add("port " + port);
            settings.add("dir \"" + path + "\"");
            if (tlsPort != 0) {
                settings.add("tls-port " + tlsPort);
            }
            Files.write(path.resolve("redis.conf"), settings);
            return new RedisFolder(path, options.program(), options.isSentinel());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With further settings for this one run, such as {@code --save ""}. */
    ProcessBuilder command(String... further) {
        List<String> words = new ArrayList<>(
                List.of(program.toString(), path.resolve("redis.conf").toString()));
        if (sentinel) {
            words.add("--sentinel");
        }
        words.addAll(List.of(further));
        return new ProcessBuilder(words)
                .directory(path.toFile())
                .redirectErrorStream(true)
                .redirectOutput(path.resolve("log").toFile());
    }

    String log() {
        try {
            return Files.readString(path.resolve("log"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void forgetSaved() {
        try {
            Files.delete(path.resolve("dump.rdb"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
