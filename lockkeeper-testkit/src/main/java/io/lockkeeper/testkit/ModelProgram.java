package io.lockkeeper.testkit;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random program of requests of several keepers for one lock or one semaphore, for {@link StoreModel}. */
public final class ModelProgram {

    /** How many keepers it has. */
    public static final int KEEPERS = 3;

    /** The lease of all claims. */
    public static final Duration LEASE = Duration.ofMinutes(10);

    private static final int CLAIMS = 9;
    private static final List<Claim.Queueing> QUEUEINGS = List.of(Claim.Queueing.values());
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** What a step does. */
    public enum Kind {
        ATTEMPT,
        RELEASE,
        RELEASE_UNANSWERED,
        /** The release of one claim and the attempt of another in one request. */
        EXCHANGE,
        RENEW,
        NARROW,
        FORCE,
        RESIZE,
        /** Time passes, as far as the store under test can be told so. */
        LULL,
        INSPECT
    }

    /**
     * One request.
     *
     * @param keeper the number of the keeper that sends it
     * @param next the claim that an exchange attempts; else the same as the claim
     */
    public record Step(Kind kind, int keeper, Claim claim, Claim next, int number) {
        @Override
        public String toString() {
            return kind + " keeper " + keeper + " " + text(claim) + (next.equals(claim) ? "" : " for " + text(next))
                    + ", " + number;
        }

        private static String text(Claim claim) {
            return "claim " + claim.id() + " " + claim.mode() + (claim.sticky() ? " sticky " : " ") + claim.queueing()
                    + " " + claim.tokens() + " tokens";
        }
    }

    private final SplittableRandom random;
    private final String suffix;
    private final Resource resource;
    private final List<Step> steps = new ArrayList<>();
    private int made;

    /** The program of this seed, about a resource of this name. */
    public ModelProgram(long seed, String name) {
        random = new SplittableRandom(seed);
        suffix = "x" + Long.toString(seed & Long.MAX_VALUE, 36);
        boolean semaphore = random.nextInt(3) == 0;
        resource = new Resource(semaphore ? Family.SEMAPHORE : Family.LOCK, name);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            claims.add(claim(i % KEEPERS));
        }
        int length = 10 + random.nextInt(50);
        for (int i = 0; i < length; i++) {
            int slot = random.nextInt(CLAIMS);
            int keeper = slot % KEEPERS;
            Kind kind = kind();
            Claim claim = claims.get(slot);
            // An exchange is for a claim that the store has never seen; from then on it has the other one's place here.
            Claim next = kind == Kind.EXCHANGE ? claim(keeper) : claim;
            claims.set(slot, next);
            steps.add(new Step(kind, keeper, claim, next, 1 + random.nextInt(4)));
        }
    }

    /** What all its claims are about. */
    public Resource resource() {
        return resource;
    }

    /** What it does, in this order. */
    public List<Step> steps() {
        return List.copyOf(steps);
    }

    private Claim claim(int keeper) {
        Mode mode = resource.family().equals(Family.SEMAPHORE)
                ? Mode.permits(1 + random.nextInt(3), random.nextInt(20) == 0 ? 4 : 3)
                : random.nextInt(3) == 0 ? Mode.SHARED : Mode.EXCLUSIVE;
        return Claim.of(
                        "c" + made++ + suffix,
                        resource,
                        mode,
                        LEASE,
                        new HolderInfo("k" + keeper, "host", 7, "a note"),
                        TIMEOUT)
                .withSticky(mode instanceof Mode.Exclusive && random.nextInt(3) == 0)
                .withTokens(1 + random.nextInt(4))
                .withQueueing(QUEUEINGS.get(random.nextInt(QUEUEINGS.size())));
    }

    private Kind kind() {
        int dice = random.nextInt(100);
        if (dice < 50) {
            return Kind.ATTEMPT;
        } else if (dice < 66) {
            return Kind.RELEASE;
        } else if (dice < 70) {
            return Kind.RELEASE_UNANSWERED;
        } else if (dice < 75) {
            return Kind.EXCHANGE;
        } else if (dice < 82) {
            return Kind.RENEW;
        } else if (dice < 89) {
            return Kind.NARROW;
        } else if (dice < 91) {
            return Kind.FORCE;
        } else if (dice < 93) {
            return Kind.RESIZE;
        } else if (dice < 97) {
            return Kind.LULL;
        }
        return Kind.INSPECT;
    }
}
