package io.lockkeeper.redis;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random program of requests of several keepers for one lock or one semaphore, in which no time passes. */
final class ModelProgram {

    static final int KEEPERS = 3;
    private static final int CLAIMS = 9;
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    enum Kind {
        ATTEMPT,
        RELEASE,
        RELEASE_UNANSWERED,
        RENEW,
        NARROW,
        FORCE,
        RESIZE,
        /** All who wait were heard of a second ago, so that their next attempts take the long way. */
        LULL,
        INSPECT
    }

    record Step(Kind kind, int keeper, Claim claim, int number) {
        @Override
        public String toString() {
            return kind + " keeper " + keeper + " claim " + claim.id() + " " + claim.mode()
                    + (claim.sticky() ? " sticky " : " ") + claim.queueing() + " " + claim.tokens() + " tokens, "
                    + number;
        }
    }

    final Resource resource;
    final List<Step> steps = new ArrayList<>();

    ModelProgram(long seed, String name) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean semaphore = random.nextInt(3) == 0;
        resource = new Resource(semaphore ? Family.SEMAPHORE : Family.LOCK, name);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            Mode mode = semaphore
                    ? Mode.permits(1 + random.nextInt(3), random.nextInt(20) == 0 ? 4 : 3)
                    : random.nextInt(3) == 0 ? Mode.SHARED : Mode.EXCLUSIVE;
            claims.add(Claim.of(
                            "c" + i + "x" + Long.toString(seed & Long.MAX_VALUE, 36),
                            resource,
                            mode,
                            LEASE,
                            new HolderInfo("k" + i % KEEPERS, "host", 7, "a note"),
                            TIMEOUT)
                    .withSticky(mode instanceof Mode.Exclusive && random.nextInt(3) == 0)
                    .withTokens(1 + random.nextInt(4))
                    .withQueueing(Claim.Queueing.values()[random.nextInt(3)]));
        }
        int length = 10 + random.nextInt(50);
        for (int i = 0; i < length; i++) {
            int claim = random.nextInt(CLAIMS);
            steps.add(new Step(kind(random), claim % KEEPERS, claims.get(claim), 1 + random.nextInt(4)));
        }
    }

    private static Kind kind(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            return Kind.ATTEMPT;
        } else if (dice < 70) {
            return Kind.RELEASE;
        } else if (dice < 74) {
            return Kind.RELEASE_UNANSWERED;
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
