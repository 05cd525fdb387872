package io.lockkeeper.testkit;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link LockProgram} on a thread of this process. */
final class KeeperPeer implements Peer {

    private final FaultyBackend backend;
    private final Lockkeeper keeper;
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread thread;

    KeeperPeer(Backend store, Duration lease) {
        backend = new FaultyBackend(store);
        keeper = Lockkeeper.builder()
                .lease(lease)
                .commandLimit(LockProgram.LIMIT)
                .note("peer")
                .open(backend);
        var program = new LockProgram(keeper);
        thread = new Thread(() -> run(program), "peer");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(LockProgram program) {
        try {
            while (true) {
                answers.add(program.answer(commands.take()));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void send(String command) {
        commands.add(command);
    }

    @Override
    public String receive(Duration wait) {
        try {
            String answer = answers.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw new AssertionError("The peer said nothing for " + wait);
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for the peer", e);
        }
    }

    @Override
    public void pause() {
        backend.network().hang();
        backend.network().dropSignals(true);
    }

    @Override
    public void resume() {
        backend.network().heal();
    }

    @Override
    public void kill() {
        backend.network().cut();
        backend.network().dropSignals(true);
    }

    @Override
    public void close() {
        thread.interrupt();
        keeper.close();
    }
}
