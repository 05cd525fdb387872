package io.lockkeeper.redis;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
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
}
