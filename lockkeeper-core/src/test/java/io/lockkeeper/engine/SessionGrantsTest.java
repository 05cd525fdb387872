package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Session;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Grants that end with a session, whatever their leases are. */
class SessionGrantsTest {

    private static final Duration SHORT = Duration.ofSeconds(9);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Rig rig = new Rig(HandOff.DEFAULT, Barging.OFF, true, false, false);

    private EngineHold acquire(Session session, Duration lease, boolean fixed) {
        Waiter waiter = rig.arrive(new AcquireRequest(Mode.EXCLUSIVE, lease, fixed, false, false));
        rig.told(rig.attempt(waiter), new Answer.Granted(1, 65, lease, session));
        return rig.holds(waiter);
    }

    /** Contacts of the session as often as the store makes them, and renewals as often as the engine asks. */
    private void live(Session session, EngineHold holding, Duration time) {
        long end = rig.now().mono() + time.toNanos();
        long renewAt = holding.grant().heardAt().mono() + holding.grant().period();
        long contactAt = rig.now().mono() + session.contactEvery().toNanos();
        while (rig.now().mono() < end) {
            rig.pass(Duration.ofMillis(100));
            if (rig.now().mono() >= contactAt) {
                session.contacted(rig.now(), rig.now());
                contactAt = rig.now().mono() + session.contactEvery().toNanos();
            }
            if (rig.now().mono() >= renewAt) {
                Duration lease = holding.grant().claim().lease();
                rig.engine.renewed(rig.now(), holding.grant(), rig.now(), new Renewal.Kept(lease, false));
                renewAt = holding.grant().heardAt().mono() + holding.grant().period();
            }
        }
    }

    @Test
    void aLeaseThatIsLongerThanTheSessionGoesOnWithItsContacts() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, false);
        assertThat(holding.remaining(rig.now())).isEqualTo(Duration.ofSeconds(6).toNanos());
        assertThat(holding.grant().period()).isEqualTo(Duration.ofSeconds(3).toNanos());

        live(session, holding, Duration.ofMinutes(5));

        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
    }

    @Test
    void aLeaseThatIsShorterThanTheSessionGoesOnAndEndsByItself() {
        Session session = Session.relayed(LONG, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, false);
        assertThat(holding.grant().period()).isEqualTo(Duration.ofSeconds(10).toNanos());

        live(session, holding, Duration.ofMinutes(10));

        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        rig.pass(Rig.LEASE);
        session.contacted(rig.now(), rig.now());
        assertThat(rig.state(holding)).as("its own node was not confirmed").isEqualTo(HoldState.LOST);
        rig.engine.expire(rig.now(), holding.grant());
        assertThat(rig.ending().claimId())
                .as("the session lives, so it must be released")
                .isEqualTo("id1");
    }

    @Test
    void aFixedLeaseInASessionLastsForItsLeaseAndNotLonger() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, true);

        live(session, holding, Duration.ofSeconds(29));
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
    }

    @Test
    void withoutContactsAFixedLeaseEndsWithItsSession() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, true);
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);
    }

    /** The renewal that comes first decides nothing: what the last contact was worth, it was worth for every grant. */
    @Test
    void allGrantsOfASessionEndAtTheSameMoment() {
        Session session = Session.relayed(SHORT, rig.now());
        Rig other = new Rig(HandOff.DEFAULT, Barging.OFF, true, false, false);
        EngineHold renewedLate = acquire(session, Rig.LEASE, false);
        Waiter waiter = other.arrive(Rig.EXCLUSIVE);
        other.told(other.attempt(waiter), new Answer.Granted(1, 1, Rig.LEASE, session));
        EngineHold neverRenewed = other.holds(waiter);
        rig.pass(Duration.ofMillis(2_700));
        session.contacted(rig.now(), rig.now());
        rig.engine.renewed(rig.now(), renewedLate.grant(), rig.now(), new Renewal.Kept(Rig.LEASE, false));

        assertThat(neverRenewed.grant().deadline())
                .isEqualTo(renewedLate.grant().deadline());
        rig.pass(Duration.ofSeconds(6).minusNanos(1));
        assertThat(neverRenewed.state(rig.now())).isEqualTo(HoldState.UNCERTAIN);
        assertThat(renewedLate.state(rig.now())).isEqualTo(HoldState.UNCERTAIN);
        rig.pass(Duration.ofNanos(1));
        assertThat(neverRenewed.state(rig.now())).isEqualTo(HoldState.LOST);
        assertThat(renewedLate.state(rig.now())).isEqualTo(HoldState.LOST);
    }

    @Test
    void aHoldIsUncertainWhileDisconnectedAndHeldAgainWhenTheSessionIsConfirmed() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, false);
        session.doubt();
        assertThat(rig.state(holding)).isEqualTo(HoldState.UNCERTAIN);
        rig.pass(Duration.ofSeconds(1));
        session.contacted(rig.now(), rig.now());
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
    }

    /** Otherwise ten thousand holders would be told one request after the other. */
    @Test
    void theEndOfASessionIsToldWithoutARequest() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, false);
        Waiter next = rig.arrive(Rig.EXCLUSIVE);
        session.end();
        assertThat(rig.state(holding)).isEqualTo(HoldState.LOST);

        rig.engine.signalAll(rig.now());

        rig.gather();
        assertThat(rig.lost).hasSize(1);
        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.SESSION_ENDED);
        assertThat(rig.chores).as("nothing is left of it in the store").isEmpty();
        assertThat(rig.attempt(next).claim().id())
                .as("the waiter goes on under a new id")
                .isEqualTo("id2");
    }

    /** A keeper that waits for the resource too is signalled often, so a single signal does not doubt a grant that was confirmed. */
    @Test
    void aSignalForEverythingDoubtsAlsoWhatWasJustConfirmed() {
        Session session = Session.relayed(SHORT, rig.now());
        Waiter reader = rig.arrive(Rig.SHARED);
        rig.told(rig.attempt(reader), new Answer.Granted(1, 1, Rig.LEASE, session));
        EngineHold reading = rig.holds(reader);
        Waiter writer = rig.arrive(Rig.EXCLUSIVE);
        rig.mustWait(rig.attempt(writer));

        rig.engine.signal(rig.now());
        rig.gather();
        assertThat(rig.doubted).isEmpty();

        rig.engine.signalAll(rig.now());
        rig.gather();
        assertThat(rig.doubted).containsExactly(reading.grant());
    }

    @Test
    void whatASessionThatIsOverHadIsNotReleasedOneByOne() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Rig.LEASE, false);
        rig.pass(Duration.ofSeconds(6));

        rig.engine.expire(rig.now(), holding.grant());

        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.EXPIRED);
        rig.nothingIsLeft();
    }

    @Test
    void closingTheKeeperLeavesTheGrantsOfItsSessionToTheStore() {
        EngineHold holding = acquire(Session.relayed(SHORT, rig.now()), Rig.LEASE, false);

        rig.engine.lose(rig.now(), holding.grant(), Loss.Reason.KEEPER_CLOSED);

        assertThat(holding.lostBecause()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        rig.nothingIsLeft();
    }

    @Test
    void aGrantOfASessionThatIsOverIsNotGivenToAnybody() {
        Session session = Session.relayed(SHORT, rig.now());
        Waiter waiter = rig.arrive(Rig.EXCLUSIVE);
        Step.Attempt attempt = rig.attempt(waiter);
        session.end();

        rig.told(attempt, new Answer.Granted(1, 1, Rig.LEASE, session));

        assertThat(rig.begun).isEmpty();
        assertThat(rig.attempt(waiter).claim().id()).isEqualTo("id2");
    }

    @Test
    void anExtensionNeverShortensAFixedLeaseWhoseSessionIsShorter() {
        Session session = Session.relayed(SHORT, rig.now());
        EngineHold holding = acquire(session, Duration.ofMinutes(1), true);

        rig.engine.extended(rig.now(), holding, rig.now(), new Renewal.Kept(Duration.ofSeconds(20), false));

        live(session, holding, Duration.ofSeconds(50));
        assertThat(rig.state(holding)).isEqualTo(HoldState.HELD);
    }
}
