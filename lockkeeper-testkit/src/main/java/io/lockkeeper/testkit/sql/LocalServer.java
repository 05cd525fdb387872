package io.lockkeeper.testkit.sql;

import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/** What all database servers have in common: their process, and a log of which some lines tell of trouble. */
abstract class LocalServer implements SqlServer {

    private final ServerProcess process;
    private final Pattern trouble;

    LocalServer(ServerProcess process, Pattern trouble) {
        this.process = process;
        this.trouble = trouble;
    }

    final ServerProcess process() {
        return process;
    }

    final ServerFolder folder() {
        return process.folder();
    }

    @Override
    public final int port() {
        return process.port();
    }

    @Override
    public final long pid() {
        return process.pid();
    }

    @Override
    public final List<Long> pids() {
        return process.pids();
    }

    @Override
    public final boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public final SqlDatabase createDatabase() {
        String name = "db_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        admin().execute("CREATE DATABASE " + name);
        return database(name);
    }

    @Override
    public final void kill() {
        process.kill();
    }

    @Override
    public final void restart() {
        process.restart();
    }

    @Override
    public final void pause() {
        process.pause();
    }

    @Override
    public final void resume() {
        process.resume();
    }

    @Override
    public final long mark() {
        return folder().mark();
    }

    @Override
    public final List<String> troubleSince(long mark) {
        return folder().logSince(mark)
                .lines()
                .filter(line -> trouble.matcher(line).find())
                .toList();
    }

    @Override
    public final String log() {
        return folder().log();
    }

    @Override
    public final String toString() {
        return process.toString();
    }
}
