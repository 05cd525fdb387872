package io.lockkeeper.engine;

import io.lockkeeper.Loss;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be done after an event, besides the {@link Step} of the caller. The lists of rare effects are created when
 * they are needed: two of these objects are made for each uncontended acquire and release.
 */
public final class Effects {

    /** Waiters that are to take their next turn. */
    public final List<Waiter> woken = new ArrayList<>(0);

    /** Grants that are held from now on: renew them in time. */
    public final List<Grant> begun = new ArrayList<>(0);

    /** Grants that are not held any more: do not renew them. */
    public final List<Grant> ended = new ArrayList<>(0);

    /** Grants that a signal says may have changed: have the store confirm them soon. */
    public final List<Grant> doubted = new ArrayList<>(0);

    private List<Chore> chores = List.of();
    private List<Lost> lost = List.of();
    private List<Grant> kept = List.of();
    private List<ReleaseStep.Send> returned = List.of();

    /** Requests to be sent in the background until they are answered. */
    public List<Chore> chores() {
        return chores;
    }

    /** Holders that are to be notified. */
    public List<Lost> lost() {
        return lost;
    }

    /** Idle grants: call {@link ResourceEngine#keptLongEnough} at {@link Grant#keptUntil}. */
    public List<Grant> kept() {
        return kept;
    }

    /** Idle grants that go back: tell the store, then {@link ResourceEngine#released} or its failure. */
    public List<ReleaseStep.Send> returned() {
        return returned;
    }

    void add(Chore chore) {
        chores = chores.isEmpty() ? new ArrayList<>(1) : chores;
        chores.add(chore);
    }

    void lose(EngineHold holding, Loss.Reason reason) {
        lost = lost.isEmpty() ? new ArrayList<>(1) : lost;
        lost.add(new Lost(holding, holding.loss(reason)));
    }

    void keep(Grant grant) {
        kept = kept.isEmpty() ? new ArrayList<>(1) : kept;
        kept.add(grant);
    }

    void sendBack(ReleaseStep.Send send) {
        returned = returned.isEmpty() ? new ArrayList<>(1) : returned;
        returned.add(send);
    }

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

    /** A holder that is to be notified of its loss. */
    public record Lost(EngineHold holding, Loss loss) {}
}
