package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.TestTimeouts;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A server that runs in a folder of its own and on a port that stays the same when it is started again. */
final class ServerProcess {

    /** Somebody else may take a port between its choice and its use. */
    private static final int TRIES = 20;

    private final String name;
    private final ServerFolder folder;
    private final int port;
    private final IntFunction<List<String>> command;
    private final Predicate<ServerProcess> ready;
    private Process process;
    private long startOfLog;
    private boolean paused;

    private ServerProcess(
            String name,
            ServerFolder folder,
            int port,
            IntFunction<List<String>> command,
            Predicate<ServerProcess> ready) {
        this.name = name;
        this.folder = folder;
        this.port = port;
        this.command = command;
        this.ready = ready;
        this.process = run();
    }

    /**
     * Starts it, and returns when it is ready. The folder is removed if that fails.
     *
     * @param name of the program, for people
     * @param command what is run, given a port
     * @param ready whether it can be used; asked again and again
     */
    static ServerProcess start(
            String name, ServerFolder folder, IntFunction<List<String>> command, Predicate<ServerProcess> ready) {
        ServerProcess server = null;
        boolean up = false;
        try {
            for (int i = 0; i < TRIES && !up; i++) {
                server = new ServerProcess(name, folder, Ports.free(), command, ready);
                up = server.comesUp();
            }
            if (server == null || !up) {
                throw new IllegalStateException("No free port was found in " + TRIES + " attempts");
            }
            return server;
        } finally {
            if (!up) {
                if (server != null) {
                    server.kill();
                }
                folder.delete();
            }
        }
    }

    private Process run() {
        startOfLog = folder.mark();
        return folder.start(command.apply(port));
    }

    /**
     * Waits until it is ready.
     *
     * @return false if the port was taken
     * @throws IllegalStateException if it ended for another reason
     */
    private boolean comesUp() {
        TestTimeouts.until(name + " is up on port " + port, () -> !process.isAlive() || ready.test(this));
        if (process.isAlive()) {
            return true;
        }
        String log = logOfThisRun();
        if (log.contains("already in use")) {
            return false;
        }
        throw new IllegalStateException(name + " ended while starting: " + log);
    }

    String logOfThisRun() {
        return folder.logSince(startOfLog);
    }

    ServerFolder folder() {
        return folder;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    List<Long> pids() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(ProcessHandle::pid)
                .toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        ProcessSignals.killTree(process);
        paused = false;
    }

    void restart() {
        kill();
        TestTimeouts.until("port " + port + " is free for " + name + " again", () -> {
            process = run();
            return comesUp();
        });
    }

    void pause() {
        ProcessSignals.pauseTree(process);
        paused = true;
    }

    void resume() {
        ProcessSignals.resumeTree(process);
        paused = false;
    }

    /** Ends it by a signal that it handles, or kills it if it is stopped. */
    void end(String signal) {
        if (process.isAlive() && !paused) {
            ProcessSignals.end(process, signal);
        } else {
            kill();
        }
    }

    @Override
    public String toString() {
        return name + " on port " + port;
    }
}
