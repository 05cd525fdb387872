package io.lockkeeper.shell;

import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Mode;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The end of a hold: released by several threads at once, and lost at the same time. All who release hear of the one
 * outcome there is, and what was once LOST or RELEASED stays so.
 */
@Tag("once")
public class HoldEndLincheckTest {

    private static final KeeperCore STATION = new KeeperCore(MemoryBackend.create(), Settings.DEFAULT);
    private static final AtomicLong NAMES = new AtomicLong();

    private final LiveHold hold = acquire();

    private static LiveHold acquire() {
        Resource resource = new Resource(Family.LOCK, "hold " + NAMES.incrementAndGet());
        AcquireOptions order =
                AcquireOptions.of(resource, Mode.EXCLUSIVE, STATION.settings().lease(), false);
        return (LiveHold) new WriteLock(STATION, order, null).tryAcquire();
    }

    @Operation
    public ReleaseOutcome release() {
        return hold.release();
    }

    @Operation
    public ReleaseOutcome releaseAsync() {
        return hold.releaseAsync().join();
    }

    @Operation
    public HoldState close() {
        hold.close();
        return hold.state();
    }

    @Operation
    public HoldState state() {
        return hold.state();
    }

    @Operation(runOnce = true)
    public void lose() {
        EngineHold holding = hold.holding();
        STATION.lose(holding, Loss.Reason.KEEPER_CLOSED);
    }

    @Test
    void thereIsOneOutcome() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(2)
                .check(getClass());
    }
}
