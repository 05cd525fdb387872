package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Short ways to write claims. */
final class Claims {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration LIMIT = Duration.ofSeconds(10);
    static final Resource LOCK = new Resource(Family.LOCK, "orders/42");
    static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "printers");
    static final Resource LATCH = new Resource(Family.LATCH, "start");

    private Claims() {}

    static Claim claim(Resource resource, Mode mode, int tokens, Queueing queueing) {
        String id = UUID.randomUUID().toString().replace("-", "");
        HolderInfo holder =
                new HolderInfo("keeper", "host", ProcessHandle.current().pid(), "a note");
        return Claim.of(id, resource, mode, LEASE, holder, LIMIT)
                .withTokens(tokens)
                .withQueueing(queueing);
    }

    static Claim exclusive() {
        return exclusive(LOCK);
    }

    static Claim exclusive(Resource resource) {
        return claim(resource, Mode.EXCLUSIVE, 1, Queueing.PLAIN);
    }

    static Claim exclusiveNow() {
        return claim(LOCK, Mode.EXCLUSIVE, 1, Queueing.NEVER);
    }

    static Claim shared() {
        return claim(LOCK, Mode.SHARED, 1, Queueing.PLAIN);
    }

    static Claim permits(int count, int of) {
        return claim(SEMAPHORE, Mode.permits(count, of), 1, Queueing.PLAIN);
    }

    static Release release(Claim claim) {
        return release(claim, false);
    }

    static Release release(Claim claim, boolean unanswered) {
        return new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT);
    }

    static long granted(Store store, Claim claim) {
        Answer answer = store.attempt(claim);
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return ((Answer.Granted) answer).token();
    }

    static Duration waits(Store store, Claim claim) {
        Answer answer = store.attempt(claim);
        assertThat(answer).isInstanceOf(Answer.Wait.class);
        return ((Answer.Wait) answer).retryIn();
    }

    static String refused(Store store, Claim claim) {
        Answer answer = store.attempt(claim);
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        assertThat(((Answer.Refused) answer).cause()).isEqualTo(Answer.Cause.FINAL);
        return ((Answer.Refused) answer).message();
    }

    /** Asks until it is granted, as an engine does. */
    static long acquire(Store store, Claim claim) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < deadline) {
            Answer answer = store.attempt(claim);
            if (answer instanceof Answer.Granted granted) {
                return granted.token();
            }
            assertThat(answer).isInstanceOf(Answer.Wait.class);
            LockSupport.parkNanos(((Answer.Wait) answer).retryIn().toNanos());
        }
        throw new AssertionError("not granted within 60 s");
    }
}
