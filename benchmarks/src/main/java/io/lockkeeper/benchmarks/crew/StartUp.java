package io.lockkeeper.benchmarks.crew;

import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.peer.Mutex;
import io.lockkeeper.benchmarks.peer.Peer;

/**
 * A fresh process that connects, locks and unlocks once, and does the same with a second client. It tells both times in
 * nanoseconds and how many threads the first client has, and waits to be ended.
 */
public final class StartUp {

    private StartUp() {}

    /** @param arguments library, url of the store */
    public static void main(String[] arguments) throws Exception {
        Library library = Libraries.named(arguments[0]);
        int before = Thread.getAllStackTraces().size();
        long begin = System.nanoTime();
        Peer first = use(library, arguments[1]);
        long used = System.nanoTime();
        int threads = Thread.getAllStackTraces().size() - before;
        System.out.println("first " + (used - begin) + " " + threads);
        System.out.flush();
        if (System.in.read() < 0) {
            throw new IllegalStateException("Nobody waits for the second");
        }
        begin = System.nanoTime();
        Peer second = use(library, arguments[1]);
        System.out.println("second " + (System.nanoTime() - begin));
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until the end.
        }
        first.close();
        second.close();
        System.exit(0);
    }

    private static Peer use(Library library, String url) throws Exception {
        Peer peer = library.open().open(url);
        Mutex mutex = peer.lock("start-up/" + ProcessHandle.current().pid());
        mutex.acquire();
        mutex.release();
        return peer;
    }
}
