package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Release;
import org.jspecify.annotations.Nullable;

/** Waits for what comes of a release and of an attempt that were sent at the same time. */
final class TwoReplies {

    private final StoreLink.Reply<Exchanged> then;
    private Release.@Nullable Outcome outcome;
    private @Nullable RuntimeException releaseFailure;
    private @Nullable Answer answer;
    private @Nullable RuntimeException attemptFailure;
    private int missing = 2;

    TwoReplies(StoreLink.Reply<Exchanged> then) {
        this.then = then;
    }

    private void arrived() {
        if (--missing == 0) {
            then.answered(new Exchanged(outcome, releaseFailure, answer, attemptFailure));
        }
    }

    StoreLink.Reply<Release.Outcome> ofRelease() {
        return new StoreLink.Reply<>() {
            @Override
            public void answered(Release.Outcome told) {
                outcome = told;
                arrived();
            }

            @Override
            public void failed(RuntimeException failure) {
                releaseFailure = failure;
                arrived();
            }
        };
    }

    StoreLink.Reply<Answer> ofAttempt() {
        return new StoreLink.Reply<>() {
            @Override
            public void answered(Answer told) {
                answer = told;
                arrived();
            }

            @Override
            public void failed(RuntimeException failure) {
                attemptFailure = failure;
                arrived();
            }
        };
    }
}
