package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A store opened without an engine, by a keeper that only notes what it is told. */
final class StoreAccess implements Keeper, AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(10);
    static final Duration LEASE = Duration.ofSeconds(30);

    private final String id = randomId();
    private final Set<Resource> signalled = ConcurrentHashMap.newKeySet();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> claims = ConcurrentHashMap.newKeySet();
    private final TimedTest test;
    private final Store store;

    @SuppressWarnings("this-escape")
    StoreAccess(TimedTest test, Backend backend) {
        this.test = test;
        store = backend.open(this);
    }

    Store store() {
        return store;
    }

    /** A claim for one token that must not queue. */
    Claim claim(Resource resource, Mode mode) {
        return claim(resource, mode, Claim.Queueing.NEVER, LEASE, 1);
    }

    Claim claim(Resource resource, Mode mode, Claim.Queueing queueing, Duration lease, int tokens) {
        String claimId = randomId();
        claims.add(claimId);
        return Claim.of(claimId, resource, mode, lease, holder(), LIMIT)
                .withTokens(tokens)
                .withQueueing(queueing);
    }

    /** An exclusive claim whose grant this keeper may keep while nobody holds it. */
    Claim sticky(Resource resource) {
        return claim(resource, Mode.EXCLUSIVE).withSticky(true).withTokens(10);
    }

    /** The same claim, sent once more because no answer came. */
    static Claim again(Claim claim) {
        return claim.withRepeat(true);
    }

    /**
     * What the claim is granted.
     *
     * @param atOnce false for a quorum: what others had of slow members is given back in the background, so it may take
     *     several attempts
     */
    Answer.Granted granted(Claim claim, boolean atOnce) {
        Answer[] answer = {store.attempt(claim)};
        if (!atOnce) {
            test.eventually("it is granted", () -> {
                answer[0] = answer[0] instanceof Answer.Granted ? answer[0] : store.attempt(claim);
                return answer[0] instanceof Answer.Granted;
            });
        }
        assertThat(answer[0]).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer[0];
    }

    /** Releases a claim all of whose requests were answered. */
    Release.Outcome release(Claim claim) {
        return release(claim, false);
    }

    Release.Outcome release(Claim claim, boolean unanswered) {
        return store.release(new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT));
    }

    boolean wasSignalled(Resource resource) {
        return signalled.contains(resource);
    }

    static String randomId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public HolderInfo holder() {
        return new HolderInfo(id, "here", ProcessHandle.current().pid(), "contract");
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    @Override
    public Duration commandTimeout() {
        return LIMIT;
    }

    @Override
    public Clocks clocks() {
        return test.clocks();
    }

    @Override
    public void signal(Resource resource) {
        signalled.add(resource);
    }

    @Override
    public void recall(Resource resource, String claimId) {
        asked.add(claimId);
    }

    /** Whether another keeper wanted what that claim holds, since this was asked last. */
    boolean wasAskedFor(Claim claim) {
        return asked.remove(claim.id());
    }

    @Override
    public void signalAll() {
        // Nothing here waits for a particular signal.
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        return claims.contains(claimId);
    }

    @Override
    public void close() {
        store.close();
    }
}
