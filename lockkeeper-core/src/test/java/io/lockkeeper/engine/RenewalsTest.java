package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When grants are renewed and found to have ended. */
class RenewalsTest {

    private final Renewals renewals = new Renewals();
    private Moment now = new Moment(0, 5_000_000);
    private int names;

    private void pass(Duration time) {
        pass(time, time);
    }

    private void pass(Duration mono, Duration wall) {
        now = new Moment(now.mono() + mono.toNanos(), now.wall() + wall.toNanos());
    }

    private Grant grant(Duration lease, boolean fixed, Duration validity) {
        AcquireRequest request = new AcquireRequest(Mode.EXCLUSIVE, lease, fixed, false, false);
        Claim claim = Claim.of(
                        "id" + ++names,
                        new Resource(Family.LOCK, "name" + names),
                        request.mode(),
                        lease,
                        new HolderInfo("keeper", "host", 1, ""),
                        limitOf(lease))
                .withFixed(fixed)
                .withQueueing(Claim.Queueing.PLAIN);
        return new Grant(claim, request, new Answer.Granted(names, 1, validity), now, false);
    }

    /** As the engine has it: a second, but a third of the lease at most. */
    private static Duration limitOf(Duration lease) {
        Duration third = lease.dividedBy(3);
        return third.compareTo(Duration.ofSeconds(1)) < 0 ? third : Duration.ofSeconds(1);
    }

    private Grant held(Duration lease, String node) {
        Grant grant = grant(lease, false, lease);
        renewals.add(grant, node);
        return grant;
    }

    private Grant held() {
        return held(Duration.ofSeconds(30), "");
    }

    private void renewed(Grant grant) {
        assertThat(grant.renew(now, now, grant.claim().lease())).isTrue();
    }

    @Test
    void renewedAtAThirdOfTheLease() {
        Grant grant = held();

        assertThat(renewals.next()).isEqualTo(Duration.ofSeconds(10).toNanos());
        pass(Duration.ofSeconds(10).minusNanos(1));
        assertThat(renewals.due(now)).isEmpty();
        pass(Duration.ofNanos(1));

        assertThat(renewals.due(now)).containsExactly(new Renewals.Batch("", List.of(grant)));
    }

    @Test
    void oneRequestUnderWayForEachNode() {
        held();
        pass(Duration.ofSeconds(10));
        Renewals.Batch first = renewals.due(now).get(0);
        Grant second = held();
        pass(Duration.ofSeconds(11));

        assertThat(renewals.due(now)).isEmpty();
        renewals.done(first, now);

        assertThat(renewals.due(now))
                .singleElement()
                .satisfies(batch -> assertThat(batch.grants()).contains(second));
    }

    @Test
    void whatHasMovedIsRenewedWithTheNodeThatHasItNow() {
        Grant moved = held(Duration.ofSeconds(30), "old");
        Grant stayed = held(Duration.ofSeconds(30), "old");
        pass(Duration.ofSeconds(10));
        Renewals.Batch batch = renewals.due(now).get(0);
        assertThat(batch.grants()).containsExactly(moved, stayed);
        renewed(moved);
        renewed(stayed);

        renewals.done(batch, now, grant -> grant == moved ? "new" : "old");
        pass(Duration.ofSeconds(10));

        assertThat(renewals.due(now))
                .containsExactlyInAnyOrder(
                        new Renewals.Batch("new", List.of(moved)), new Renewals.Batch("old", List.of(stayed)));
    }

    @Test
    void aNodeThatHangsDelaysNobodyElse() {
        Grant stuck = held(Duration.ofSeconds(30), "hangs");
        Grant fine = held(Duration.ofSeconds(30), "works");
        pass(Duration.ofSeconds(10));
        List<Renewals.Batch> batches = renewals.due(now);
        assertThat(batches)
                .containsExactlyInAnyOrder(
                        new Renewals.Batch("hangs", List.of(stuck)), new Renewals.Batch("works", List.of(fine)));

        for (int i = 0; i < 10; i++) {
            renewed(fine);
            renewals.done(new Renewals.Batch("works", List.of(fine)), now);
            pass(Duration.ofSeconds(10));
            assertThat(renewals.due(now)).containsExactly(new Renewals.Batch("works", List.of(fine)));
        }

        assertThat(renewals.ended(now)).as("found though its request hangs").containsExactly(stuck);
    }

    @Test
    void thoseThatAreDueGoTogetherInOneBatch() {
        Grant first = held();
        pass(Duration.ofSeconds(2));
        Grant second = held();
        pass(Duration.ofSeconds(6));
        Grant third = held();
        pass(Duration.ofSeconds(2));

        assertThat(renewals.due(now))
                .singleElement()
                .satisfies(batch -> assertThat(batch.grants())
                        .as("the second is due soon, the third is not")
                        .containsExactly(first, second)
                        .doesNotContain(third));
    }

    @Test
    void renewedInTheOrderInWhichTheyAreDue() {
        Grant slow = held(Duration.ofSeconds(33), "");
        Grant quick = held(Duration.ofSeconds(30), "");
        pass(Duration.ofSeconds(11));

        assertThat(renewals.due(now).get(0).grants()).containsExactly(quick, slow);
    }

    @Test
    void aBatchHasABound() {
        for (int i = 0; i < 1500; i++) {
            held();
        }
        pass(Duration.ofSeconds(10));

        Renewals.Batch first = renewals.due(now).get(0);
        assertThat(first.grants()).hasSize(1000);
        first.grants().forEach(this::renewed);
        renewals.done(first, now);

        assertThat(renewals.due(now).get(0).grants()).hasSize(500);
    }

    @Test
    void afterARenewalTheNextIsAThirdLater() {
        Grant grant = held();
        pass(Duration.ofSeconds(10));
        Renewals.Batch batch = renewals.due(now).get(0);
        renewed(grant);
        renewals.done(batch, now);

        assertThat(renewals.next()).isEqualTo(Duration.ofSeconds(20).toNanos());
        assertThat(renewals.ended(now)).isEmpty();
        pass(Duration.ofSeconds(29));
        assertThat(renewals.ended(now)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(renewals.ended(now)).containsExactly(grant);
    }

    @Test
    void aRenewalThatFailedIsTriedAgainSoonerAndOften() {
        held();
        pass(Duration.ofSeconds(10));
        int tries = 0;
        while (renewals.ended(now).isEmpty()) {
            for (Renewals.Batch batch : renewals.due(now)) {
                tries++;
                renewals.done(batch, now);
            }
            pass(Duration.ofMillis(50));
        }

        assertThat(tries).isBetween(10, 30);
    }

    @Test
    void whatIsNotHeldAnyMoreIsNotRenewed() {
        Grant grant = held();
        renewals.remove(grant);
        pass(Duration.ofHours(1));

        assertThat(renewals.due(now)).isEmpty();
        assertThat(renewals.ended(now)).isEmpty();
        assertThat(renewals.isEmpty()).isTrue();
        assertThat(renewals.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsReleasedDuringItsRenewalDoesNotComeBack() {
        Grant grant = held();
        pass(Duration.ofSeconds(10));
        Renewals.Batch batch = renewals.due(now).get(0);
        renewals.remove(grant);
        renewals.done(batch, now);

        assertThat(renewals.isEmpty()).isTrue();
        assertThat(renewals.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aFixedLeaseIsConfirmedEveryThirdAndEndsAllTheSame() {
        Grant fixed = grant(Duration.ofSeconds(30), true, Duration.ofSeconds(30));
        renewals.add(fixed, "");
        for (int third = 0; third < 2; third++) {
            pass(Duration.ofSeconds(10));
            Moment sentAt = now;
            Renewals.Batch batch = renewals.due(now).get(0);
            assertThat(batch.grants()).containsExactly(fixed);
            assertThat(fixed.renew(now, sentAt, Duration.ofSeconds(30))).isTrue();
            renewals.done(batch, now);
            assertThat(renewals.due(now)).isEmpty();
        }
        assertThat(fixed.remaining(now)).isLessThan(Duration.ofSeconds(10).toNanos());
        pass(Duration.ofSeconds(10));

        assertThat(renewals.ended(now)).containsExactly(fixed);
    }

    @Test
    void aFixedLeaseOfADayIsConfirmedOnceAMinute() {
        Grant fixed = grant(Duration.ofDays(1), true, Duration.ofDays(1));
        renewals.add(fixed, "");
        pass(Duration.ofSeconds(40));
        assertThat(renewals.due(now)).isEmpty();
        pass(Duration.ofSeconds(20));
        assertThat(renewals.due(now)).hasSize(1);
    }

    @Test
    void aDoubtedFixedLeaseIsConfirmedAtOnce() {
        Grant fixed = grant(Duration.ofDays(1), true, Duration.ofDays(1));
        renewals.add(fixed, "");
        renewals.hasten(fixed, now);

        assertThat(renewals.due(now)).hasSize(1);
    }

    @Test
    void aGrantWithoutEndIsStillConfirmed() {
        Grant grant = grant(Duration.ofSeconds(30), false, Answer.FOREVER);
        renewals.add(grant, "");
        pass(Duration.ofSeconds(10));

        assertThat(renewals.due(now)).hasSize(1);
        pass(Duration.ofDays(1000));
        assertThat(renewals.ended(now)).isEmpty();
    }

    @Test
    void aSuspendedMachineIsNoticedThoughItsMonotonicClockStoodStill() {
        Grant grant = held();
        Grant fixed = grant(Duration.ofSeconds(60), true, Duration.ofSeconds(60));
        renewals.add(fixed, "");
        assertThat(renewals.ended(now)).isEmpty();

        pass(Duration.ofMillis(250), Duration.ofSeconds(40));

        assertThat(renewals.ended(now)).containsExactly(grant);
        pass(Duration.ofSeconds(15));
        assertThat(renewals.ended(now)).containsExactly(grant);
        pass(Duration.ofSeconds(5));
        assertThat(renewals.ended(now)).containsExactly(grant, fixed);
    }

    @Test
    void afterASuspensionWhatIsLateIsRenewedAtOnce() {
        Grant grant = held();
        assertThat(renewals.due(now)).isEmpty();

        pass(Duration.ofMillis(250), Duration.ofSeconds(15));

        assertThat(renewals.due(now)).containsExactly(new Renewals.Batch("", List.of(grant)));
    }

    @Test
    void aJumpDuringARenewalDoesNotSendItTwice() {
        Grant grant = held();
        pass(Duration.ofSeconds(10));
        Renewals.Batch batch = renewals.due(now).get(0);
        pass(Duration.ofMillis(250), Duration.ofSeconds(15));

        assertThat(renewals.due(now)).isEmpty();
        renewals.done(batch, now);
        renewals.remove(grant);
        assertThat(renewals.isEmpty()).isTrue();
        assertThat(renewals.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWallClockThatRunsAheadInSmallStepsIsNoticed() {
        Grant grant = held();
        // Twice as fast: 30 s of it are 15 s of the monotonic clock.
        for (int i = 0; i < 37_500; i++) {
            pass(Duration.ofNanos(400_000), Duration.ofNanos(800_000));
            renewals.due(now);
            if (!renewals.ended(now).isEmpty()) {
                break;
            }
        }

        assertThat(renewals.ended(now)).containsExactly(grant);
    }

    @Test
    void aWallClockSetBackLengthensNothing() {
        Grant grant = held();
        renewals.ended(now);
        pass(Duration.ofSeconds(5), Duration.ofHours(-5));
        assertThat(renewals.ended(now)).isEmpty();

        pass(Duration.ofSeconds(25));

        assertThat(renewals.ended(now)).containsExactly(grant);
    }

    @Test
    void whatIsDoubtedIsRenewedNext() {
        held();
        Grant doubted = held();
        pass(Duration.ofSeconds(1));

        renewals.hasten(doubted, now);

        assertThat(renewals.next()).isEqualTo(now.mono());
        assertThat(renewals.due(now))
                .singleElement()
                .satisfies(batch -> assertThat(batch.grants()).containsExactly(doubted));
    }

    @Test
    void aDoubtDuringARenewalLeadsToAnotherOne() {
        Grant grant = held();
        pass(Duration.ofSeconds(10));
        Renewals.Batch batch = renewals.due(now).get(0);
        renewals.hasten(grant, now);
        assertThat(renewals.due(now)).isEmpty();
        renewed(grant);
        renewals.done(batch, now);

        Renewals.Batch again = renewals.due(now).get(0);
        renewed(grant);
        renewals.done(again, now);

        assertThat(renewals.due(now)).as("the doubt is settled").isEmpty();
    }

    @Test
    void doubtingWhatIsNotHeldDoesNothing() {
        renewals.hasten(grant(Duration.ofSeconds(30), false, Duration.ofSeconds(30)), now);

        assertThat(renewals.isEmpty()).isTrue();
        assertThat(renewals.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWallClockThatJumpsForwardAndBackLeavesNothingToDoAtOnce() {
        Grant grant = grant(Duration.ofSeconds(30), true, Duration.ofSeconds(30));
        renewals.add(grant, "");
        pass(Duration.ofSeconds(1), Duration.ofSeconds(21));
        assertThat(renewals.ended(now)).isEmpty();
        pass(Duration.ofSeconds(14), Duration.ofSeconds(-6));

        assertThat(renewals.ended(now)).isEmpty();
        assertThat(renewals.due(now)).as("it is confirmed").hasSize(1);

        assertThat(renewals.next()).isGreaterThan(now.mono());
        pass(Duration.ofSeconds(15));
        assertThat(renewals.ended(now)).containsExactly(grant);
    }

    @Test
    void tenThousandGrantsAreRenewedInAFewRequests() {
        List<Grant> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(held());
            pass(Duration.ofNanos(100_000));
        }
        int requests = 0;
        long end = now.mono() + Duration.ofMinutes(1).toNanos();
        while (now.mono() < end) {
            for (Renewals.Batch batch : renewals.due(now)) {
                requests++;
                batch.grants().forEach(this::renewed);
                renewals.done(batch, now);
            }
            assertThat(renewals.ended(now)).isEmpty();
            now = new Moment(
                    Math.max(now.mono() + 1, renewals.next()),
                    now.wall() + Math.max(now.mono() + 1, renewals.next()) - now.mono());
        }

        assertThat(requests).isLessThan(150);
    }

    @Test
    void aRequestThatHangsDelaysNoShorterLease() {
        Grant slow = held(Duration.ofSeconds(9), "");
        pass(Duration.ofSeconds(3));
        assertThat(renewals.due(now)).containsExactly(new Renewals.Batch("", List.of(slow)));
        Grant brief = held(Duration.ofMillis(1200), "");

        assertThat(renewals.next())
                .isEqualTo(now.mono() + Duration.ofMillis(400).toNanos());
        pass(Duration.ofMillis(400));

        assertThat(renewals.due(now)).containsExactly(new Renewals.Batch("", List.of(brief)));
        assertThat(renewals.due(now)).isEmpty();
    }

    @Test
    void theShortestLeaseDoesNotSetTheLimitOfAllOthers() {
        List<Grant> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            many.add(held());
        }
        pass(Duration.ofMillis(9900));
        Grant brief = held(Duration.ofMillis(300), "");
        pass(Duration.ofMillis(100));

        assertThat(renewals.due(now))
                .containsExactlyInAnyOrder(new Renewals.Batch("", many), new Renewals.Batch("", List.of(brief)));
    }

    /** Of a keeper with many leases one request is not answered: only time is lost, no lock. */
    @Test
    void oneLostReplyLosesNoLock() {
        for (long seed = 0; seed < 300; seed++) {
            assertThat(lostByOneLostReply(seed)).as("seed " + seed).isEmpty();
        }
    }

    private record UnderWay(Renewals.Batch batch, Moment sentAt, Moment endsAt, boolean answered) {}

    private List<Grant> lostByOneLostReply(long seed) {
        Random random = new Random(seed);
        Renewals several = new Renewals();
        now = new Moment(0, 5_000_000);
        for (int i = 0; i < 12; i++) {
            Duration lease = Duration.ofMillis((long) Math.exp(Math.log(200) + random.nextDouble() * Math.log(100)));
            several.add(grant(lease, false, lease), "");
        }
        List<UnderWay> requests = new ArrayList<>();
        List<Grant> ended = new ArrayList<>();
        int lost = random.nextInt(60);
        int sent = 0;
        for (int millis = 0; millis < 20_000; millis++) {
            for (UnderWay one : List.copyOf(requests)) {
                if (one.endsAt.mono() <= now.mono()) {
                    requests.remove(one);
                    for (Grant grant : one.batch.grants()) {
                        if (one.answered) {
                            grant.renew(now, one.sentAt, grant.claim().lease());
                        }
                    }
                    several.done(one.batch, now);
                }
            }
            ended.addAll(several.ended(now));
            several.ended(now).forEach(several::remove);
            for (Renewals.Batch batch : several.due(now)) {
                boolean answered = sent++ != lost;
                Duration limit = batch.grants().stream()
                        .map(grant -> grant.claim().timeout())
                        .min(Duration::compareTo)
                        .orElseThrow();
                long takes = answered ? Duration.ofMillis(5).toNanos() : limit.toNanos();
                Moment endsAt = new Moment(now.mono() + takes, now.wall() + takes);
                requests.add(new UnderWay(batch, now, endsAt, answered));
            }
            pass(Duration.ofMillis(1));
        }
        return ended;
    }
}
