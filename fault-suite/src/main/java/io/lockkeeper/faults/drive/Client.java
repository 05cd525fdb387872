package io.lockkeeper.faults.drive;

import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.CallReader;
import io.lockkeeper.faults.history.Life;
import io.lockkeeper.faults.work.ClientProgram;
import io.lockkeeper.testkit.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client process, from outside. */
public final class Client implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ClientProgram.Order order;
    private final ChildJvm process;
    private final long started = System.nanoTime();
    private final List<Life.Span> stops = new ArrayList<>();
    private Life.@Nullable End end;

    Client(ClientProgram.Order order) {
        this.order = order;
        process = ClientProgram.start(order);
    }

    public String name() {
        return order.client();
    }

    /** Waits until its threads work, and makes sure that its clock is ours. */
    void awaitReady() {
        String[] said = process.receive(PATIENCE).split(" ");
        if (!said[0].equals("ready")) {
            throw new IllegalStateException("Client " + name() + " said '" + said[0] + "' instead of 'ready'");
        }
        long its = Long.parseLong(said[1]);
        if (its - started < 0 || System.nanoTime() - its < 0) {
            throw new IllegalStateException("The clock of client " + name() + " is not the one of this process:"
                    + " System.nanoTime() must be one clock for the whole machine, as on Linux");
        }
    }

    /** As kill -9 does. */
    void kill() {
        end = process.isAlive() ? Life.End.KILLED : Life.End.DIED;
        process.kill();
    }

    /** Stops it for a time, as a long collection of garbage or a frozen machine does. */
    void stopFor(Duration time) {
        long from = System.nanoTime();
        process.pause();
        try {
            Pauses.forTime(time);
        } finally {
            process.resume();
            stops.add(new Life.Span(from, System.nanoTime()));
        }
    }

    void tellToEnd(Duration patience) {
        if (process.isAlive()) {
            process.send("stop " + patience.toMillis());
        }
    }

    void awaitEnd(Duration patience) {
        try {
            boolean done = process.receive(patience).equals("done");
            end = done ? Life.End.ORDERLY : Life.End.HUNG;
        } catch (AssertionError silent) {
            end = process.isAlive() ? Life.End.HUNG : Life.End.DIED;
        }
        process.kill();
    }

    Life life() {
        return new Life(name(), end == null ? Life.End.KILLED : end, stops);
    }

    List<Call> calls() throws IOException {
        return CallReader.read(order.journal(), name());
    }

    @Override
    public void close() {
        process.kill();
    }
}
