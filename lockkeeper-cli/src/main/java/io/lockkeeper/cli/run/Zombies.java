package io.lockkeeper.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells a group of which only zombies are left. They run no more, but a group with one in it still takes signals; and where
 * process 1 reaps nobody, as in many containers, a zombie stays forever.
 */
final class Zombies {

    private static final Path PROC = Path.of("/proc");

    private Zombies() {}

    /** Whether no process of the group runs; false if that cannot be told. */
    static boolean areAllOf(long group) {
        if (!Files.exists(PROC.resolve("self/stat"))) {
            return false;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (runsIn(group, process.resolve("stat"))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The file reads: pid (name) state parent group …, where the name may hold anything. */
    private static boolean runsIn(long group, Path stat) {
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", 4);
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return !dead && Long.parseLong(fields[2]) == group;
        } catch (IOException e) {
            return false; // It ended meanwhile.
        }
    }
}
