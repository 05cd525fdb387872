package io.lockkeeper.quorum;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.quorum.rounds.AttemptRound;
import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The semaphores of a quorum.
 *
 * <p><b>Invariant.</b> A claim for n of m permits holds n of m <em>slots</em>, each an exclusive resource with a majority of
 * its own; it gets all n or none. What would break it: counting permits member by member. Of 3 members that give 2 permits
 * each, A has m1 and m2, B has m2 and m3, C has m1 and m3: three majorities, no member above 2.
 *
 * <p>Before the slots, the claim takes its permits on the members' own semaphore of that name, too. That proves nothing, but
 * it keeps the size (another is refused by the members, with both numbers), gives the token, shows the holders, and tells in
 * one round instead of m that nothing is free.
 *
 * <p>What is not promised: when a semaphore shrinks while members are down, old slots beyond the new size and new ones
 * below it may together be more than the new size, until the old ones are released. A member that missed a resize refuses
 * claims of the new size, which costs its vote, until resize is called again.
 */
final class PermitSlots {

    private static final String KEY = "slot.";
    private static final int MOST = 1_000_000;

    private final Members members;
    private final Rounds rounds;

    PermitSlots(Members members, Rounds rounds) {
        this.members = members;
        this.rounds = rounds;
    }

    static boolean isSlot(Resource resource) {
        return resource.family().key().startsWith(KEY);
    }

    private static Resource slot(Resource semaphore, int index) {
        return new Resource(new Family(KEY + index), semaphore.name());
    }

    /** Signals of a slot are meant for its semaphore. */
    static Resource semaphoreOf(Resource resource) {
        return isSlot(resource) ? new Resource(Family.SEMAPHORE, resource.name()) : resource;
    }

    /** Why there can be no such semaphore, if so. */
    Optional<String> checkSize(Resource semaphore, int permits) {
        if (!semaphore.family().equals(Family.SEMAPHORE)) {
            return Optional.of("The " + semaphore + " is no semaphore, so it has no permits");
        }
        return permits < 1 || permits > MOST
                ? Optional.of(
                        "The " + semaphore + " cannot have " + permits + " permits on a quorum; give it 1 to " + MOST)
                : Optional.empty();
    }

    /** @param parts where to put what was won, the claim itself first; also if it is not enough */
    AttemptRound.Decision take(Claim claim, Mode.Permits permits, List<ClaimVotes> parts) {
        Optional<String> refusal = checkSize(claim.resource(), permits.of());
        if (refusal.isPresent()) {
            return new AttemptRound.Decision.Refused(new Answer.Refused(Answer.Cause.FINAL, refusal.get()));
        }
        AttemptRound.Decision marker = rounds.attempt(claim, claim.resource(), permits, claim.lease(), parts);
        if (!(marker instanceof AttemptRound.Decision.Won won)) {
            return marker;
        }
        Duration validity = won.validity();
        int start = members.random().nextInt(permits.of());
        int tried = 0;
        while (parts.size() <= permits.count()) {
            int missing = permits.count() + 1 - parts.size();
            List<Resource> next = new ArrayList<>();
            for (; next.size() < missing && tried < permits.of(); tried++) {
                next.add(slot(claim.resource(), (start + tried) % permits.of()));
            }
            if (next.isEmpty()) {
                return new AttemptRound.Decision.Busy(false, null);
            }
            for (AttemptRound.Decision decision : rounds.attemptAll(claim, next, parts)) {
                if (decision instanceof AttemptRound.Decision.Unreachable) {
                    return decision;
                }
                if (decision instanceof AttemptRound.Decision.Won slot
                        && slot.validity().compareTo(validity) < 0) {
                    validity = slot.validity();
                }
            }
        }
        return new AttemptRound.Decision.Won(won.token(), validity);
    }

    /**
     * Ends a resource's grants on one member, with the slots of a semaphore.
     *
     * @return whether there were some. Those of slots count too: a holder that hears of their end gives back the rest, perhaps
     *     before its end comes to this member
     */
    boolean forceRelease(Store member, Resource resource) {
        boolean ended = false;
        if (resource.family().equals(Family.SEMAPHORE)) {
            int size = member.inspect(resource).map(ResourceState::permits).orElse(0);
            for (int i = 0; i < size; i++) {
                ended |= StoreAbility.of(member, ForceReleaseStore.class).forceRelease(slot(resource, i));
            }
        }
        return StoreAbility.of(member, ForceReleaseStore.class).forceRelease(resource) || ended;
    }
}
