package io.lockkeeper.testkit;

/** Threads that never keep a JVM alive. */
final class Daemon {

    private Daemon() {}

    static Thread start(String name, Runnable body) {
        var thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
