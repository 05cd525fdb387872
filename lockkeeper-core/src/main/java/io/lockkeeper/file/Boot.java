package io.lockkeeper.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells one start of the machine from the next; empty where that can not be told. */
final class Boot {

    static final String ID = read();

    private Boot() {}

    private static String read() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
