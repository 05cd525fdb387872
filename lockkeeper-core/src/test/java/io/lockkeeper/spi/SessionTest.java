package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a session surely lasts, by the contacts that were answered. */
class SessionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The timeout less the margin for clocks that run apart. */
    private static final long WHOLE = 9_898;

    /** The moment at which so many milliseconds have passed on both clocks. */
    private static Moment at(long millis) {
        return new Moment(millis * 1_000_000, millis * 1_000_000);
    }

    private static boolean contact(Session session, long sent, long answered) {
        return session.contacted(at(sent), at(answered));
    }

    /** When it is over if nothing more is heard, in milliseconds; asking does not end it. */
    private static long end(Session session) {
        return session.deadline() / 1_000_000;
    }

    @Test
    void aDirectSessionLastsFromTheSendingOfItsLastContact() {
        Session session = Session.direct(TIMEOUT, at(0));
        assertThat(end(session)).isEqualTo(WHOLE);
        assertThat(contact(session, 3_000, 5_000)).isTrue();
        assertThat(end(session)).isEqualTo(3_000 + WHOLE);
        assertThat(session.remaining(at(12_000))).isEqualTo((3_000 + WHOLE - 12_000) * 1_000_000);
    }

    @Test
    void aRelayedSessionWithRegularContactsLastsForTwoThirdsAfterTheLast() {
        Session session = Session.relayed(TIMEOUT, at(0));
        assertThat(end(session)).isEqualTo(6_666);
        for (int i = 1; i < 10; i++) {
            assertThat(contact(session, i * 3_000, i * 3_000 + 100)).isTrue();
            assertThat(end(session)).isEqualTo(i * 3_000 + 6_666);
        }
        assertThat(session.timeout()).isEqualTo(TIMEOUT);
    }

    /** Whether the last one counted is not known: its server may have been cut off from the leader right after its answer. */
    @Test
    void aContactAfterAPauseGivesNoMoreThanTheTimeoutAfterTheOneBefore() {
        Session session = Session.relayed(TIMEOUT, at(0));
        assertThat(contact(session, 6_000, 6_001)).isTrue();
        assertThat(end(session)).isEqualTo(WHOLE);
        assertThat(contact(session, 9_000, 9_001)).isTrue();
        assertThat(end(session)).isEqualTo(15_666);
    }

    /** Two contacts of the same moment are passed on together, or not at all. */
    @Test
    void contactsCloseTogetherDoNotProveThatTheFirstHasCounted() {
        Session session = Session.relayed(TIMEOUT, at(0));
        contact(session, 3_000, 3_001);
        contact(session, 5_000, 5_001);
        assertThat(end(session)).as("3 s has not surely counted by 5 s").isEqualTo(WHOLE);
        contact(session, 5_700, 5_701);
        assertThat(end(session)).as("3 s has counted by 5.7 s").isEqualTo(5_700 + 6_666);
        for (int i = 0; i < 50; i++) {
            contact(session, 5_710 + i, 5_710 + i);
        }
        assertThat(end(session)).isEqualTo(5_759 + 6_666);
        contact(session, 8_700, 8_701);
        assertThat(end(session)).as("one of the many has counted by then").isEqualTo(8_700 + 6_666);
    }

    /** A contact that takes long has arrived at its server at the latest when the answer came. */
    @Test
    void aContactCountsSomeTimeAfterItsAnswerNotAfterItsSending() {
        Session session = Session.relayed(TIMEOUT, at(0));
        contact(session, 3_000, 5_900);
        contact(session, 6_000, 6_001);
        assertThat(end(session)).isEqualTo(WHOLE);
    }

    /** A seventh of the timeout for each answer, and as long again for one that gets lost. */
    @Test
    void contactsInItsRhythmKeepItAliveThoughTheyAreSlow() {
        Session session = Session.relayed(TIMEOUT, at(0));
        long sent = session.contactEvery().toMillis();
        for (int i = 1; i < 50; i++) {
            assertThat(contact(session, sent, sent + 1_400)).isTrue();
            sent += 1_400 + session.contactEvery().toMillis();
        }
        assertThat(Session.direct(TIMEOUT, at(0)).contactEvery()).isEqualTo(TIMEOUT.dividedBy(3));
    }

    @Test
    void aWallClockThatIsSetForwardProvesNothing() {
        Session session = Session.relayed(TIMEOUT, at(0));
        contact(session, 3_000, 3_001);
        Moment jumped = new Moment(at(5_000).mono(), at(8_000).wall());
        session.contacted(jumped, jumped);
        assertThat(end(session)).isEqualTo(WHOLE);
    }

    /** Otherwise a hold would come back that its holder was told to have lost. */
    @Test
    void anAnswerAfterTheEndResurrectsNothing() {
        Session session = Session.relayed(TIMEOUT, at(0));
        assertThat(contact(session, 6_000, 6_667)).isFalse();
        assertThat(session.isOver(at(1)))
                .as("for good, even if the clock is set back")
                .isTrue();
        assertThat(session.isEnded()).as("the store did not say so").isFalse();
        assertThat(session.deadline()).isLessThanOrEqualTo(at(6_667).mono());
    }

    @Test
    void aSuspendedMachineEndsItByTheWallClock() {
        Session session = Session.direct(TIMEOUT, at(0));
        assertThat(session.isOver(new Moment(at(1).mono(), at(9_900).wall()))).isTrue();
    }

    @Test
    void whatTheStoreEndedIsOver() {
        Session session = Session.direct(TIMEOUT, at(0));
        session.end();
        assertThat(session.isEnded()).isTrue();
        assertThat(session.remaining(at(1))).isZero();
        assertThat(contact(session, 2, 3)).isFalse();
    }

    @Test
    void itIsUncertainWithoutAConnectionAndWhenAContactIsOverdue() {
        Session session = Session.relayed(TIMEOUT, at(0));
        assertThat(session.isUncertain(at(5_000))).isFalse();
        assertThat(session.isUncertain(at(5_001))).isTrue();
        session.doubt();
        assertThat(session.isUncertain(at(1))).isTrue();
        contact(session, 2_000, 2_001);
        assertThat(session.isUncertain(at(2_001))).isFalse();
    }

    @Test
    void answersThatOvertakeEachOtherChangeNothing() {
        Session session = Session.direct(TIMEOUT, at(0));
        contact(session, 3_000, 3_001);
        contact(session, 2_000, 3_002);
        assertThat(end(session)).isEqualTo(3_000 + WHOLE);
    }

    @Test
    void aTimeoutIsMoreThanNothing() {
        assertThatThrownBy(() -> Session.direct(Duration.ZERO, at(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
    }
}
