package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LIMIT;
import static io.lockkeeper.quorum.Claims.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What tests of the quorum do and wait for again and again. */
final class Steps {

    private Steps() {}

    static Answer.Granted granted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    static void keep(QuorumStore store, Claim claim) {
        assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
    }

    /** A member that answered late counts from the next renewal on. */
    static void holdOnAll(QuorumStore store, Claim claim) {
        eventually(() -> {
            keep(store, claim);
            return store.votes(claim.id()) == 3;
        });
        eventually(store::isQuiet);
    }

    static boolean freeOn(Cluster cluster, int member) {
        try (var probe = cluster.members
                .get(member)
                .memory
                .open(new MemberKeeper(new ProbeKeeper(cluster.clocks), () -> Duration.ofSeconds(1), id -> false))) {
            return probe.inspect(LOCK).isEmpty();
        }
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).as("in time").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(100_000);
        }
    }
}
