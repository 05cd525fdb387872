package io.lockkeeper.testkit.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which process a connection over the loopback address comes from, as Linux lists it. */
final class SocketOwner {

    private static final String LOOPBACK = "0100007F";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    private SocketOwner() {}

    /** Whether the process has the socket whose own port this is. */
    static boolean owns(long pid, int port) {
        return inode(port).map(inode -> has(pid, inode)).orElse(false);
    }

    /** How many connections other processes have to this port of the process. */
    static int connectionsOfOthers(long pid, int port) {
        return (int) sockets()
                .filter(words -> words[REMOTE].equals(address(port)) && words[STATE].equals(ESTABLISHED))
                .filter(words -> !has(pid, words[INODE]))
                .count();
    }

    private static Optional<String> inode(int port) {
        return sockets()
                .filter(words -> words[LOCAL].equals(address(port)) && !words[INODE].equals("0"))
                .map(words -> words[INODE])
                .findFirst();
    }

    private static String address(int port) {
        return LOOPBACK + ":" + String.format(Locale.ROOT, "%04X", port);
    }

    /** Of IPv4; a JVM has sockets of IPv6 to addresses of IPv4, which end with the same digits. */
    private static Stream<String[]> sockets() {
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(SocketOwner::lines)
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > INODE)
                .peek(words -> {
                    words[LOCAL] = shortened(words[LOCAL]);
                    words[REMOTE] = shortened(words[REMOTE]);
                });
    }

    private static String shortened(String address) {
        int keep = LOOPBACK.length() + ":0000".length();
        return address.length() > keep ? address.substring(address.length() - keep) : address;
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read which sockets there are", e);
        }
    }

    private static boolean has(long pid, String inode) {
        String socket = "socket:[" + inode + "]";
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
