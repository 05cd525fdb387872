package io.lockkeeper.benchmarks.peer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The floor within a process: the JDK's lock, by name. */
final class JdkPeer implements Peer {

    static final Library LIBRARY = new Library(
            "reentrantlock",
            "ReentrantLock",
            "none",
            "",
            Set.of(Feature.LOCK, Feature.REENTRANT),
            url -> new JdkPeer());

    private final ConcurrentHashMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public Mutex lock(String name) {
        return new OfLock(locks.computeIfAbsent(name, any -> new ReentrantLock()));
    }

    @Override
    public void close() {
        locks.clear();
    }
}
