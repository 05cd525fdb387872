package io.lockkeeper.testkit;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A {@link LockProgram} on a thread of this process. */
final class KeeperPeer implements Peer {

    private final FaultyBackend backend;
    private final Lockkeeper keeper;
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final Clocks clocks;
    private volatile @Nullable Thread receiver;

    KeeperPeer(Backend store, Duration lease, Clocks clocks) {
        this.clocks = clocks;
        backend = new FaultyBackend(store);
        keeper = Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(LockProgram.LIMIT)
                .note("peer")
                .clocks(clocks)
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
                LockSupport.unpark(receiver);
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
        receiver = Thread.currentThread();
        long end = clocks.now().mono() + wait.toNanos();
        for (String answer = answers.poll(); ; answer = answers.poll()) {
            if (answer != null) {
                return answer;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("Interrupted while waiting for the peer");
            }
            if (clocks.now().mono() >= end) {
                throw new AssertionError("The peer said nothing for " + wait);
            }
            clocks.park(this, end);
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
        backend.close();
        keeper.close();
    }
}
