package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.RequestLocks;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.engine.StoreReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Locks owned by ids of the application.
 *
 * <p><b>Invariant.</b> Each call sends its requests itself, and nothing is sent in its name after it has returned: no release in
 * the background, no tombstone, no place in a queue. The engine's rule that an id is never used again after its release was
 * sent cannot hold for ids that callers use again, so nothing may be sent that the caller does not know of.
 *
 * <p><b>What would break it.</b> Were a wait that timed out to withdraw its claim, as the engine does: A and B wait under the same
 * id R. A is granted, B's time is over, B's withdrawal ends R: A's lock. The same with a release that is repeated in the
 * background: R unlocks without an answer, locks again, and the repeated release ends the new lock. So a wait only ever asks,
 * without queueing, and a release that was not answered is the caller's to know of.
 *
 * <p>What remains is a request that arrives late. An attempt that does takes the lock for its lease and for nobody; a release
 * that does ends what the same id has locked since. The Javadoc of {@link RequestLocks} says what to do about both.
 */
final class LiveRequestLocks implements RequestLocks {

    private static final int LONGEST_ID = 255;

    private final KeeperCore core;

    LiveRequestLocks(KeeperCore core) {
        this.core = core;
    }

    @Override
    public boolean tryLock(String key, String requestId, Duration lease) {
        Request request = new Request(claim(key, requestId, lease), 0);
        while (true) {
            @Nullable Boolean answer = request.attempt();
            if (answer != null) {
                return answer;
            }
            RequestRetry.pause(core.clocks(), Duration.ofNanos(request.pause()));
        }
    }

    @Override
    public boolean lock(String key, String requestId, Duration lease, Duration wait) throws InterruptedException {
        Request request = new Request(claim(key, requestId, lease), Timeouts.nanos(wait));
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            @Nullable Boolean answer = request.attempt();
            if (answer != null) {
                if (!answer) {
                    TimeoutReport.log(core, request.claim.resource(), wait);
                }
                return answer;
            }
            RequestRetry.nap(core.clocks(), Duration.ofNanos(request.pause()));
        }
    }

    @Override
    public boolean unlock(String key, String requestId) {
        return unlock(resource(key), checked(requestId));
    }

    private boolean unlock(Resource resource, String requestId) {
        ensureOpen();
        Duration timeout = core.commandTimeout();
        Release release = new Release(resource, requestId, timeout, false, timeout);
        StoreReply<Release.Outcome> reply =
                core.calls().call(resource, () -> core.store().release(release));
        return StoreCalls.answerOf(reply) == Release.Outcome.RELEASED;
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(String key, String requestId, Duration lease) {
        return async(new Request(claim(key, requestId, lease), 0));
    }

    @Override
    public CompletableFuture<Boolean> lockAsync(String key, String requestId, Duration lease, Duration wait) {
        return async(new Request(claim(key, requestId, lease), Timeouts.nanos(wait)));
    }

    @Override
    public CompletableFuture<Boolean> unlockAsync(String key, String requestId) {
        Resource resource = resource(key);
        String id = checked(requestId);
        return AsyncRequests.call(core, () -> unlock(resource, id));
    }

    private CompletableFuture<Boolean> async(Request request) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Runnable closed = () -> result.completeExceptionally(core.closedException());
        core.polls().add(closed);
        result.whenComplete((answer, thrown) -> core.polls().remove(closed));
        core.workers().request(() -> step(request, result));
        return result;
    }

    private void step(Request request, CompletableFuture<Boolean> result) {
        if (result.isDone()) {
            return;
        }
        try {
            @Nullable Boolean answer = request.attempt();
            if (answer == null) {
                long next = core.now().mono() + request.pause();
                core.alarms().at(next, () -> core.workers().request(() -> step(request, result)));
            } else {
                core.workers().callback(() -> result.complete(answer));
            }
        } catch (RuntimeException | Error thrown) {
            core.workers().callback(() -> result.completeExceptionally(thrown));
        }
    }

    private static Resource resource(String key) {
        return new Resource(Family.LOCK, given(key, "key"));
    }

    private Claim claim(String key, String requestId, Duration lease) {
        Resource resource = resource(key);
        String id = checked(requestId);
        ensureAcquires();
        HolderInfo keeper = core.holder();
        String note = (keeper.note().isEmpty() ? "" : keeper.note() + " ") + "request " + id;
        Duration checked = LeaseRules.check(lease, core.backend());
        return Claim.of(
                        id,
                        resource,
                        Mode.EXCLUSIVE,
                        checked,
                        new HolderInfo(
                                keeper.keeper(),
                                keeper.host(),
                                keeper.pid(),
                                HostInfo.name(Thread.currentThread()),
                                note),
                        core.terms().timeoutFor(checked))
                .withFixed(true);
    }

    private static String checked(String requestId) {
        given(requestId, "requestId");
        if (!isVisible(requestId) || requestId.getBytes(StandardCharsets.UTF_8).length > LONGEST_ID) {
            throw new IllegalArgumentException("The request id '"
                    + (requestId.length() > 40 ? requestId.substring(0, 40) + "…" : requestId)
                    + "' cannot own a lock; use 1 to 255 bytes of UTF-8 without blanks and control characters,"
                    + " such as a UUID");
        }
        return requestId;
    }

    /** Whether it is text without blanks. Half of a surrogate pair is none: UTF-8 would make two such ids the same one. */
    private static boolean isVisible(String id) {
        return !id.isEmpty()
                && id.codePoints()
                        .noneMatch(c -> Character.isWhitespace(c)
                                || Character.isSpaceChar(c)
                                || Character.isISOControl(c)
                                || Character.getType(c) == Character.SURROGATE);
    }

    private void ensureAcquires() {
        if (core.refusesNew()) {
            throw core.refusal();
        }
    }

    private void ensureOpen() {
        if (core.isClosed()) {
            throw core.closedException();
        }
    }

    /** One caller that tries once, or until its timeout. */
    private final class Request {

        private final Claim claim;
        private final boolean once;
        private final long soon;
        private final long deadline;
        private long pause = KeeperPolicy.FIRST_REQUEST_ID_PAUSE.toNanos();

        /** @param timeout nanoseconds; 0 for a single try */
        Request(Claim claim, long timeout) {
            Moment now = core.now();
            this.claim = claim;
            this.once = timeout == 0;
            this.soon = now.mono() + KeeperPolicy.RECALL_WAIT.toNanos();
            this.deadline = Timeouts.deadline(now, timeout);
        }

        /** Sends the request once; returns whether the id has the lock, or null to try again after a {@link #pause}. */
        @Nullable
        Boolean attempt() {
            ensureAcquires();
            StoreReply<Answer> reply =
                    core.calls().call(claim.resource(), () -> core.store().attempt(claim));
            if (reply.failure() instanceof StoreUnavailableException && !isOver()) {
                return null;
            }
            Answer answer = StoreCalls.answerOf(reply);
            if (answer instanceof Answer.Granted granted) {
                return granted(reply.sentAt(), granted);
            }
            if (answer instanceof Answer.Refused refused) {
                throw new ClaimRefusedException(
                        refused.cause() == Answer.Cause.RELEASED
                                ? "The request id '" + claim.id() + "' was released from the " + claim.resource()
                                        + " by other means a moment ago, and is refused for a while; use another id"
                                : refused.message());
            }
            boolean here = recallHere();
            boolean recalled = ((Answer.Wait) answer).recalled() || here;
            boolean over = once ? !recalled || core.now().mono() >= soon : isOver();
            return over ? false : null;
        }

        private @Nullable Boolean granted(Moment sentAt, Answer.Granted granted) {
            if (core.now().since(sentAt) < granted.validity().toNanos()) {
                return true;
            }
            if (isOver()) {
                throw new StoreUnavailableException("The store answered for the " + claim.resource()
                        + " after its lease of " + Durations.text(claim.lease()) + " had ended; use a longer lease");
            }
            return null;
        }

        /** Recalls an idle sticky grant of this keeper itself; returns whether there is one. */
        private boolean recallHere() {
            return core.at(claim.resource(), false, slot -> {
                boolean recalled = false;
                for (Grant grant : slot.engine.grants()) {
                    if (grant.isIdle()) {
                        slot.engine.recall(grant.id());
                        recalled = true;
                    }
                }
                return recalled;
            });
        }

        private boolean isOver() {
            return once || core.now().mono() >= deadline;
        }

        /** Nanoseconds until the next try: longer each time, and random so that callers do not try at the same time. */
        long pause() {
            long half = pause / 2;
            long chosen = half + ThreadLocalRandom.current().nextLong(half);
            pause = Math.min(2 * pause, KeeperPolicy.LONGEST_REQUEST_ID_PAUSE.toNanos());
            return once || deadline == Long.MAX_VALUE
                    ? chosen
                    : Math.max(1, Math.min(chosen, deadline - core.now().mono()));
        }
    }
}
