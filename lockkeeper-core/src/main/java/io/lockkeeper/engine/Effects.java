package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import java.util.ArrayList;
import java.util.List;

/** What is to be done after an event, besides the {@link Step} of whoever caused it. */
public final class Effects {

    /** Take their next turn. */
    public final List<Waiter> woken = new ArrayList<>(2);

    /** Settle in the background. */
    public final List<Chore> chores = new ArrayList<>(0);

    /** Tell the holder. */
    public final List<Lost> lost = new ArrayList<>(0);

    /** Held from now on: renew them in time. */
    public final List<Grant> begun = new ArrayList<>(1);

    /** Not held any more: renew them no longer. */
    public final List<Grant> ended = new ArrayList<>(1);

    /** Somebody said that they changed: ask the store soon. */
    public final List<Grant> doubted = new ArrayList<>(0);

    /** Nobody holds them, but they stay here for a while: tell {@link ResourceEngine#keptLongEnough} when it is over. */
    public final List<Grant> kept = new ArrayList<>(0);

    /** Kept no longer: tell the store, then {@link ResourceEngine#released} or {@link ResourceEngine#releaseFailed}. */
    public final List<ReleaseStep.Send> returned = new ArrayList<>(0);

    boolean isEmpty() {
        return woken.isEmpty()
                && chores.isEmpty()
                && lost.isEmpty()
                && begun.isEmpty()
                && ended.isEmpty()
                && doubted.isEmpty()
                && kept.isEmpty()
                && returned.isEmpty();
    }

    /** A holder that has to be told. */
    public record Lost(EngineHold holding, Loss loss) {}
}
