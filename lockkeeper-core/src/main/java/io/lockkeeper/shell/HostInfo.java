package io.lockkeeper.shell;

import io.lockkeeper.HolderInfo;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The identity of this process, as others read it. */
final class HostInfo {

    private static final String NAME = name();

    private HostInfo() {}

    static HolderInfo holder(String keeper, String note) {
        return new HolderInfo(keeper, NAME, ProcessHandle.current().pid(), note);
    }

    /** The name of a thread; the number of one without a name, such as a virtual thread. */
    static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.getId() : name;
    }

    private static String name() {
        String said = System.getenv("HOSTNAME");
        if (said != null && !said.isBlank()) {
            return said.length() > 64 ? said.substring(0, 64) : said;
        }
        try {
            String found = InetAddress.getLocalHost().getHostName();
            return found.length() > 64 ? found.substring(0, 64) : found;
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
