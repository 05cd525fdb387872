package io.lockkeeper.faults.check;

import static io.lockkeeper.faults.check.Histories.id;
import static io.lockkeeper.faults.check.Histories.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.faults.history.Access.Kind;
import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.Life;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mistakes planted in histories, each of which must be found, by its rule and no other. */
final class CheckerTest {

    /** Two clients, one after the other, both waiting from the start. */
    private static Histories fine() {
        return new Histories()
                .held("1.0", 0, 10, 20, 1)
                .held("2.0", 0, 30, 40, 2)
                .wrote(15, 1)
                .wrote(35, 2)
                .put(16, 1, 0)
                .put(36, 2, 1)
                .life("1.0", Life.End.ORDERLY)
                .life("2.0", Life.End.ORDERLY);
    }

    private static void finds(Histories history, Rule rule) {
        assertThat(history.verdict().findings()).extracting(Finding::rule).containsExactly(rule);
        assertThat(history.verdict().isBroken()).isEqualTo(rule.isBroken());
    }

    @Test
    void aRunInWhichAllIsWellHasNoFindings() {
        Verdict verdict = fine().verdict();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.isBroken()).isFalse();
        assertThat(verdict.figures()).isEqualTo(new Figures(2, 0, 0, 0, 0, 2, 0, 0, List.of()));
    }

    @Test
    void twoBeliefsAtOneInstant() {
        finds(fine().held("3.0", 0, 39, 50, 3), Rule.OVERLAP);
        assertThat(fine().held("3.0", 0, 39, 50, 3).verdict().figures().longestOverlap())
                .isEqualTo(nanos(1));
    }

    @Test
    void aBeliefInsideAMuchLongerOne() {
        finds(new Histories().held("1.0", 0, 10, 100, 1).held("2.0", 0, 50, 50, 2), Rule.OVERLAP);
    }

    @Test
    void anOverlapThatIsNotWithTheOneJustBefore() {
        Histories history = new Histories()
                .held("1.0", 0, 10, 100, 1)
                .held("2.0", 0, 20, 30, 2)
                .held("3.0", 0, 40, 50, 3);
        assertThat(history.verdict().count(Rule.OVERLAP)).isEqualTo(2);
    }

    @Test
    void anOverlapAfterTheStoreForgotGrantsIsReportedButBreaksNoPromise() {
        finds(fine().incident("restart", 25, 28, true).held("3.0", 0, 39, 50, 3), Rule.OVERLAP_EXPLAINED);
    }

    @Test
    void anOverlapBeforeOrLongAfterThatIsNotExplainedByIt() {
        finds(
                fine().incident("restart", 45, 47, true)
                        .held("3.0", 0, 39, 50, 3)
                        .held("4.0", 0, 60, 70, 4),
                Rule.OVERLAP);
        finds(
                new Histories()
                        .incident("restart", 5, 6, true)
                        .held("1.0", 0, 9_000, 9_100, 1)
                        .held("2.0", 0, 9_050, 9_060, 2),
                Rule.OVERLAP);
    }

    @Test
    void anOverlapIsNotExplainedByAFaultThatLosesNoGrants() {
        finds(fine().incident("partition", 25, 28, false).held("3.0", 0, 39, 50, 3), Rule.OVERLAP);
    }

    @Test
    void oneTokenForTwoGrants() {
        finds(new Histories().held("1.0", 0, 10, 20, 7).held("2.0", 0, 30, 40, 7), Rule.DUPLICATE_TOKEN);
    }

    @Test
    void aSmallerTokenForOneWhoAskedLater() {
        finds(new Histories().held("1.0", 0, 10, 20, 7).held("2.0", 11, 30, 40, 6), Rule.OUT_OF_ORDER);
    }

    @Test
    void aSmallerTokenThatIsNotNextToTheGreater() {
        finds(
                new Histories()
                        .held("1.0", 0, 10, 20, 9)
                        .held("2.0", 5, 30, 40, 3)
                        .held("3.0", 35, 50, 60, 4),
                Rule.OUT_OF_ORDER);
    }

    @Test
    void whoAskedBeforeTheOtherWasKnownMayGetASmallerToken() {
        assertThat(new Histories()
                        .held("1.0", 0, 10, 20, 7)
                        .held("2.0", 9, 30, 40, 6)
                        .verdict()
                        .findings())
                .isEmpty();
    }

    @Test
    void aSmallerTokenAfterTheStoreForgotGrantsIsReportedOnly() {
        finds(
                new Histories()
                        .incident("failover", 1, 5, true)
                        .held("1.0", 0, 10, 20, 7)
                        .held("2.0", 11, 30, 40, 6),
                Rule.OUT_OF_ORDER_EXPLAINED);
    }

    @Test
    void aStaleWriteThatWasAdmitted() {
        finds(fine().access(Kind.FENCED_WRITE, 50, 1, id(1), 2, true), Rule.STALE_ADMITTED);
    }

    @Test
    void aStaleReadThatWasAdmitted() {
        finds(fine().access(Kind.FENCED_READ, 50, 1, id(1), 2, true), Rule.STALE_ADMITTED);
    }

    @Test
    void twoHoldsAdmittedWithOneToken() {
        finds(fine().access(Kind.FENCED_WRITE, 50, 2, "another", 2, true), Rule.STALE_ADMITTED);
    }

    @Test
    void anUpdateLostOnF() {
        finds(fine().access(Kind.FENCED_WRITE, 50, 2, id(2), 1, true), Rule.LOST_ON_F);
    }

    @Test
    void whatFRefusedIsCountedOnly() {
        Verdict verdict =
                fine().access(Kind.FENCED_WRITE, 50, 1, id(1), 1, false).verdict();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.figures().refused()).isEqualTo(1);
    }

    @Test
    void updatesLostOnUAreCountedOnly() {
        Verdict verdict = fine().put(37, 2, 0).put(38, 2, 1).verdict();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.figures().plainWrites()).isEqualTo(4);
        assertThat(verdict.figures().lostUpdates()).isEqualTo(2);
    }

    @Test
    void aWaiterThatIsNeverAnswered() {
        finds(fine().call("1.0", 50, Call.UNTIMED, new Answer.Open()), Rule.HUNG);
    }

    @Test
    void aWaiterWhoseClientHungToo() {
        finds(fine().life("3.0", Life.End.HUNG).call("3.0", 50, Call.UNTIMED, new Answer.Open()), Rule.HUNG);
    }

    @Test
    void aWaiterWhoseClientWasKilledIsNoFinding() {
        assertThat(fine().life("3.0", Life.End.KILLED)
                        .call("3.0", 50, Call.UNTIMED, new Answer.Open())
                        .verdict()
                        .findings())
                .isEmpty();
    }

    @Test
    void anAnswerLongAfterItsLimit() {
        finds(fine().call("1.0", 50, nanos(100), new Answer.Nothing(nanos(20_000))), Rule.LATE);
        finds(fine().call("1.0", 50, nanos(100), new Answer.Failed(nanos(20_000), "no store")), Rule.LATE);
    }

    @Test
    void anAnswerOfAClientThatWasStoppedMeanwhileIsNotLate() {
        assertThat(new Histories()
                        .life("1.0", Life.End.ORDERLY, new Life.Span(nanos(60), nanos(19_000)))
                        .call("1.0", 50, nanos(100), new Answer.Nothing(nanos(20_000)))
                        .verdict()
                        .findings())
                .isEmpty();
    }

    @Test
    void aLossThatNobodyWasToldOf() {
        finds(
                fine().call(
                                "1.0",
                                50,
                                Call.UNTIMED,
                                new Answer.Granted(nanos(60), 9, id(9), nanos(70), true, false, true)),
                Rule.UNTOLD);
    }

    @Test
    void aNameThatIsStuck() {
        finds(fine().stuck(Histories.NAME), Rule.STUCK);
    }

    @Test
    void aClientThatEndedByItself() {
        finds(fine().life("3.0", Life.End.DIED), Rule.CLIENT_DIED);
    }

    @Test
    void aNameThatNobodyAcquiredAfterAFault() {
        finds(fine().incident("restart", 40, 45, false), Rule.NOT_RECOVERED);
        finds(fine().incident("restart", 40, 45, false).held("1.0", 50, 40_000, 40_001, 3), Rule.NOT_RECOVERED);
    }

    @Test
    void recoveryIsTheTimeUntilTheNextGrant() {
        Verdict verdict = fine().incident("stop", 11, 12, false)
                .incident("stop", 21, 22, false)
                .incident("stop", 1, 2, false)
                .verdict();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.figures().recoveries())
                .extracting(Figures.Recovered::nanos)
                .containsExactly(nanos(8), nanos(8), nanos(18));
        assertThat(verdict.figures().medianRecovery()).isEqualTo(nanos(8));
        assertThat(verdict.figures().longestRecovery()).isEqualTo(nanos(18));
    }
}
