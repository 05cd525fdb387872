package io.lockkeeper.testkit.sim;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Release;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What becomes of a release and an attempt that reach the server in one message. */
enum ExchangeFate {
    WHOLE(true, true, true, true),
    /** The connection breaks between them. */
    CUT_BETWEEN(true, true, false, false),
    /** The connection breaks between their replies. */
    SECOND_REPLY_LOST(true, true, true, false),
    /** The reply to the release says nothing, the other one does. */
    FIRST_REPLY_LOST(true, false, true, true),
    /** The release is turned away, the attempt is not. */
    FIRST_TURNED_AWAY(false, false, true, true),
    /** The reply to the release says nothing, and the attempt was not sent then. */
    SECOND_NOT_SENT(true, false, false, false);

    private final boolean releases;
    private final boolean tellsOutcome;
    private final boolean recalls;
    private final boolean tellsAnswer;

    ExchangeFate(boolean releases, boolean tellsOutcome, boolean recalls, boolean tellsAnswer) {
        this.releases = releases;
        this.tellsOutcome = tellsOutcome;
        this.recalls = recalls;
        this.tellsAnswer = tellsAnswer;
    }

    /** Most pairs stay whole. */
    static ExchangeFate random(SplittableRandom random) {
        return random.nextInt(100) < 75 ? WHOLE : values()[1 + random.nextInt(values().length - 1)];
    }

    Exchanged meet(Supplier<Release.Outcome> release, Supplier<Answer> attempt) {
        Release.Outcome outcome = releases ? release.get() : null;
        Answer answer = recalls ? attempt.get() : null;
        return new Exchanged(
                tellsOutcome ? outcome : null,
                tellsOutcome ? null : broken(),
                tellsAnswer ? answer : null,
                tellsAnswer || this == SECOND_NOT_SENT ? null : broken());
    }

    private static @Nullable RuntimeException broken() {
        return new StoreUnavailableException("half of a pair was not answered");
    }
}
