package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Many locks of one keeper. */
final class HeldLocks {

    private HeldLocks() {}

    /** Takes locks named {@code held/0} and so on, all at once. */
    static List<ExclusiveHold> hold(Lockkeeper keeper, int locks) throws Exception {
        List<CompletableFuture<ExclusiveHold>> asked = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
            asked.add(keeper.lock("held/" + i).acquireAsync());
        }
        List<ExclusiveHold> holds = new ArrayList<>();
        for (CompletableFuture<ExclusiveHold> each : asked) {
            holds.add(each.get(60, TimeUnit.SECONDS));
        }
        return holds;
    }

    /** None is lost. One whose renewal was not answered in time is uncertain for a moment, and held again by the next. */
    static void areHeld(List<? extends SingleHold> holds) {
        Eventually.holds(() -> {
            assertThat(holds).noneMatch(hold -> hold.state() == HoldState.LOST);
            return holds.stream().allMatch(hold -> hold.state() == HoldState.HELD);
        });
    }
}
