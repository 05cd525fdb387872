package io.lockkeeper.testkit.etcd;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Tells which process a connection over the loopback address comes from, as Linux lists it. */
final class SocketOwner {

    private static final String LOOPBACK = "0100007F";
    private static final int LOCAL = 1;
    private static final int INODE = 9;

    private SocketOwner() {}

    /** Whether the process has the socket whose own port this is. */
    static boolean owns(long pid, int port) {
        return inode(port).map(inode -> has(pid, "socket:[" + inode + "]")).orElse(false);
    }

    private static Optional<String> inode(int port) {
        String local = LOOPBACK + ":" + String.format(Locale.ROOT, "%04X", port);
        try {
            return Files.readAllLines(Path.of("/proc/net/tcp")).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > INODE && words[LOCAL].equals(local) && !words[INODE].equals("0"))
                    .map(words -> words[INODE])
                    .findFirst();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read which sockets there are", e);
        }
    }

    private static boolean has(long pid, String socket) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files) {
                if (isLinkTo(file, socket)) {
                    return true;
                }
            }
            return false;
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean isLinkTo(Path file, String socket) {
        try {
            return Files.readSymbolicLink(file).toString().equals(socket);
        } catch (IOException closed) {
            return false;
        }
    }
}
