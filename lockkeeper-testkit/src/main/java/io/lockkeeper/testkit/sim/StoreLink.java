package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.util.List;

/** One keeper's way to a store: the calls of {@link io.lockkeeper.spi.Store}, answered some time later or never. */
interface StoreLink {

    void attempt(Claim claim, Reply<Answer> reply);

    void release(Release release, Reply<Release.Outcome> reply);

    /**
     * Ends a claim and recalls for another one. Here these are two messages, which may overtake each other, so that code
     * that relies on their order is found out.
     */
    default void exchange(Release release, Claim next, Reply<Exchanged> reply) {
        TwoReplies both = new TwoReplies(reply);
        release(release, both.ofRelease());
        attempt(next, both.ofAttempt());
    }

    void renew(List<Claim> held, Reply<List<Renewal>> reply);

    void narrow(Claim held, Mode to, Reply<Boolean> reply);

    /** Whether this keeper still uses a claim that a store knows under that id. */
    boolean concerns(String sentAs);

    /** Receives the result; exactly one of the two methods is called, once, on the machine that sent the request. */
    interface Reply<T> {
        void answered(T answer);

        void failed(RuntimeException failure);
    }
}
