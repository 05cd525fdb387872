package io.lockkeeper.engine;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One renewal request for several grants, and what its reply means for each of them. Keepers and the simulator report
 * replies through it.
 *
 * <p><b>Invariant.</b> A renewed lease counts from {@link StoreReply#sentAt}, as that of a grant does. Counted from the reply, a
 * keeper whose replies are slow would believe in its hold while the store gives the resource to the next keeper. A grant that
 * the reply says nothing about (it failed, it is too short, or the store does not know) is uncertain, never renewed.
 */
public final class RenewalRequest {

    private final List<Grant> grants;
    private final List<Claim> claims;
    private Duration timeout;

    /**
     * @param size how many grants are to be added at most
     * @param longest how long the request may take, unless one of its grants allows less
     */
    public RenewalRequest(int size, Duration longest) {
        this.grants = new ArrayList<>(size);
        this.claims = new ArrayList<>(size);
        this.timeout = longest;
    }

    public void add(Grant grant) {
        add(grant, grant.claim());
    }

    /** @param claim what is sent for the grant */
    public void add(Grant grant, Claim claim) {
        grants.add(grant);
        claims.add(claim);
        timeout = claim.timeout().compareTo(timeout) < 0 ? claim.timeout() : timeout;
    }

    public boolean isEmpty() {
        return grants.isEmpty();
    }

    public List<Grant> grants() {
        return grants;
    }

    /** What to send, in the order of the grants. */
    public List<Claim> claims() {
        return claims;
    }

    /** How long the request may take. */
    public Duration timeout() {
        return timeout;
    }

    /**
     * Tells the engine of a grant what the reply says about that grant.
     *
     * @param index the grant's place in {@link #grants}
     * @return whether the grant's holders are uncertain only from now on
     */
    public boolean replied(ResourceEngine engine, Moment now, int index, StoreReply<List<Renewal>> reply) {
        Grant grant = grants.get(index);
        Renewal answer = answerFor(index, reply);
        if (answer == null || answer instanceof Renewal.Unknown) {
            return engine.renewalFailed(grant);
        }
        engine.renewed(now, grant, reply.sentAt(), answer);
        return false;
    }

    /** Whether the reply says nothing about a grant. */
    public boolean isUnknown(int index, StoreReply<List<Renewal>> reply) {
        Renewal answer = answerFor(index, reply);
        return answer == null || answer instanceof Renewal.Unknown;
    }

    /** Why the reply says nothing about a grant, if that is known. */
    public @Nullable RuntimeException failureFor(int index, StoreReply<List<Renewal>> reply) {
        return answerFor(index, reply) instanceof Renewal.Unknown unknown ? unknown.failure() : reply.failure();
    }

    private static @Nullable Renewal answerFor(int index, StoreReply<List<Renewal>> reply) {
        List<Renewal> answers = reply.answer();
        return answers == null || index >= answers.size() ? null : answers.get(index);
    }

    /** Why a store that knows nothing about any of the grants has, in effect, not answered; null if it knows of one. */
    public static @Nullable RuntimeException outage(List<Renewal> answers) {
        RuntimeException failure = null;
        for (Renewal answer : answers) {
            if (!(answer instanceof Renewal.Unknown unknown)) {
                return null;
            }
            failure = unknown.failure();
        }
        return failure;
    }
}
