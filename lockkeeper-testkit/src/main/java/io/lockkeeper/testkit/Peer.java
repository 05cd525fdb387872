package io.lockkeeper.testkit;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;

/**
 * Somebody else who uses the same store and does what {@link LockProgram} understands. Another process where the store can
 * be reached from one; otherwise a keeper behind a network of its own that is cut to kill it and hung to pause it, which
 * the store cannot tell from the real thing.
 */
public interface Peer extends AutoCloseable {

    /** Another process. */
    static Peer process(String url, Duration lease) {
        return LockProgram.start(url, lease);
    }

    /** Another keeper in this process, with these clocks. */
    static Peer keeper(Backend backend, Duration lease, Clocks clocks) {
        return new KeeperPeer(backend, lease, clocks);
    }

    /** Gives it a command, see {@link LockProgram}. */
    void send(String command);

    /** Its next answer, waiting up to a minute for it. */
    default String receive() {
        return receive(Duration.ofSeconds(60));
    }

    /**
     * Its next answer.
     *
     * @throws AssertionError if none comes in time
     */
    String receive(Duration wait);

    /** Gives it a command and waits for the answer. */
    default String ask(String command) {
        send(command);
        return receive();
    }

    /** The store hears nothing from it until {@link #resume()}. */
    void pause();

    void resume();

    /** The store hears nothing from it any more, and nothing of what it did is undone. */
    void kill();

    @Override
    void close();
}
