package io.lockkeeper.engine;

import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Moment;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The state of a hold, read by any thread while the engine, under its lock, releases or loses it: LOST and RELEASED are
 * final, and a hold that anybody saw lost is not released afterwards. Some look at a clock that is past the deadline, others
 * have read theirs before. Lincheck tries the interleavings and looks for one whose results no order of the calls explains.
 */
@Tag("once")
public class HoldStateLincheckTest {

    private final Rig rig = new Rig();
    private final EngineHold holding = rig.acquire(Rig.EXCLUSIVE, 1, 1);
    private final Moment early = rig.now();
    private final Moment late = new Moment(early.mono() + Rig.LEASE.toNanos(), early.wall());
    private final ReentrantLock lock = new ReentrantLock();

    @Operation
    public HoldState state() {
        return holding.state(early);
    }

    @Operation
    public HoldState stateAfterTheDeadline() {
        return holding.state(late);
    }

    @Operation
    public boolean release() {
        lock.lock();
        try {
            return rig.engine.release(early, holding) instanceof ReleaseStep.Send;
        } finally {
            lock.unlock();
        }
    }

    @Operation
    public void taken() {
        lock.lock();
        try {
            rig.engine.lose(early, holding.grant(), Loss.Reason.TAKEN);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void anEndIsFinal() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(getClass());
    }
}
