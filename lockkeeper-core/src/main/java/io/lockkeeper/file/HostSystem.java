package io.lockkeeper.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * What a store needs of the machine; tests have machines that fail.
 *
 * @param disk opens files
 * @param boot tells one start of the machine from the next; empty where that cannot be told
 */
record HostSystem(Disk disk, String boot) {

    /** Opens files. */
    interface Disk {
        FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException;
    }

    static HostSystem real() {
        return new HostSystem(FileChannel::open, readBoot());
    }

    private static String readBoot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
