package io.lockkeeper.quorum;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps readers from overtaking a writer that waits.
 *
 * <p>Members have no queue that could do it, so a waiting writer that finds readers shuts a gate, an exclusive resource
 * beside the lock; readers look at it while they ask, and give back what they got if it is shut. The gate has the writer's
 * lease, is renewed each time it asks, and is opened when it got the lock or gives up. Nothing but the order depends on
 * it: a gate that is seen too late or lost costs a writer its turn.
 */
final class Gates {

    private static final Family FAMILY = new Family("gate");

    private final Assembly assembly;
    private final Ballots ballots;

    Gates(Assembly assembly, Ballots ballots) {
        this.assembly = assembly;
        this.ballots = ballots;
    }

    static boolean isGate(Resource resource) {
        return resource.family().equals(FAMILY);
    }

    private static Resource gate(Resource lock) {
        return new Resource(FAMILY, lock.name());
    }

    /** Asks for a claim; a reader finds it busy if the gate is shut. */
    AttemptRound.Decision attempt(Claim claim, List<Standing> parts) {
        if (!(claim.mode() instanceof Mode.Shared)) {
            return ballots.attempt(claim, claim.resource(), claim.mode(), parts);
        }
        LookRound look = new LookRound(assembly.rules(), gate(claim.resource()), assembly.nodeLimit());
        AttemptRound.Decision decision = ballots.attempt(claim, claim.resource(), claim.mode(), parts, look);
        return look.isHeld() && decision instanceof AttemptRound.Decision.Won
                ? new AttemptRound.Decision.Busy()
                : decision;
    }

    /** A claim did not get its lock and will ask again. */
    void waits(Claim claim, Entry entry) {
        boolean writer = claim.mode() instanceof Mode.Exclusive
                && claim.resource().family().equals(Family.LOCK);
        if (!writer || claim.queueing() == Claim.Queueing.NEVER) {
            return;
        }
        if (!entry.gate.isEmpty()) {
            List<Renewal> renewed = ballots.renew(List.of(entry.gate), assembly.nodeLimit());
            if (renewed.get(0) instanceof Renewal.Gone) {
                open(entry);
            }
            return;
        }
        LookRound look = new LookRound(assembly.rules(), claim.resource(), assembly.nodeLimit());
        assembly.run(List.of(look), assembly.nodeLimit());
        if (look.isShared()) {
            List<Standing> won = new ArrayList<>();
            // Whether it is won or another writer has it shut already is all the same.
            ballots.attempt(claim, gate(claim.resource()), Mode.EXCLUSIVE, won);
            entry.gate = List.copyOf(won);
        }
    }

    /** It got the lock, or gives up. */
    void open(Entry entry) {
        ballots.end(entry.gate);
        entry.gate = List.of();
    }
}
