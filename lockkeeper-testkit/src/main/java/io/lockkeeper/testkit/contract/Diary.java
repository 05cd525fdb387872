package io.lockkeeper.testkit.contract;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LeaderElection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what happens to a candidate: that it was elected, and how it was deposed. */
final class Diary implements LeaderElection.Listener {

    final List<String> entries = new CopyOnWriteArrayList<>();
    final List<Long> terms = new CopyOnWriteArrayList<>();

    static Diary of(LeaderElection election) {
        var diary = new Diary();
        election.addListener(diary);
        return diary;
    }

    @Override
    public void elected(ExclusiveHold leadership) {
        terms.add(leadership.token());
        entries.add("elected");
    }

    @Override
    public void deposed(LeaderElection.Deposed event) {
        entries.add(event.loss().map(loss -> loss.reason().name()).orElse("resigned"));
    }
}
