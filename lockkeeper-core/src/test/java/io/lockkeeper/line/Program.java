package io.lockkeeper.line;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random program against a leased store. Each step stands for itself, so any part of a program is a program. */
final class Program {

    enum Kind {
        ATTEMPT,
        RELEASE,
        RENEW,
        NARROW,
        FORCE,
        RESIZE,
        INSPECT,
        ADVANCE,
        SILENCE
    }

    /**
     * @param claim index of the claim it is about
     * @param number what else it needs: nanoseconds, a size, or a flag
     */
    record Step(Kind kind, int claim, long number) {}

    private static final int CLAIMS = 12;
    private static final int KEEPERS = 4;

    private final List<Claim> claims = new ArrayList<>();
    final List<Step> steps = new ArrayList<>();

    private Program() {}

    static Program random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Program program = new Program();
        boolean semaphore = random.nextInt(3) == 0;
        boolean both = random.nextInt(4) == 0;
        for (int i = 0; i < CLAIMS; i++) {
            boolean permits = both ? random.nextBoolean() : semaphore;
            Resource resource = permits ? Claims.SEMAPHORE : Claims.LOCK;
            Mode mode = permits
                    ? Mode.permits(1 + random.nextInt(3), 3)
                    : random.nextInt(3) == 0 ? Mode.SHARED : Mode.EXCLUSIVE;
            Duration lease =
                    Duration.ofMillis(List.of(1_000, 3_000, 30_000, 90_000).get(random.nextInt(4)));
            Queueing queueing = Queueing.values()[random.nextInt(3)];
            program.claims.add(Claims.claim("c" + i, resource, mode, lease, 1 + random.nextInt(4), queueing));
        }
        int length = 5 + random.nextInt(60);
        for (int i = 0; i < length; i++) {
            program.steps.add(step(random));
        }
        return program;
    }

    private static Step step(SplittableRandom random) {
        int claim = random.nextInt(CLAIMS);
        int dice = random.nextInt(100);
        if (dice < 40) {
            return new Step(Kind.ATTEMPT, claim, 0);
        } else if (dice < 60) {
            return new Step(Kind.RELEASE, claim, random.nextInt(3) == 0 ? 1 : 0);
        } else if (dice < 68) {
            return new Step(Kind.RENEW, claim, 0);
        } else if (dice < 73) {
            return new Step(Kind.NARROW, claim, 1 + random.nextInt(2));
        } else if (dice < 75) {
            return new Step(Kind.FORCE, claim, 0);
        } else if (dice < 77) {
            return new Step(Kind.RESIZE, claim, 2 + random.nextInt(3));
        } else if (dice < 82) {
            return new Step(Kind.INSPECT, claim, 0);
        } else if (dice < 97) {
            // Often exactly at the edges of leases and of liveness.
            long millis = List.of(1, 500, 999, 1_000, 1_001, 2_999, 3_000, 29_999, 61_000)
                    .get(random.nextInt(9));
            return new Step(Kind.ADVANCE, 0, millis * 1_000_000 + random.nextInt(2));
        }
        return new Step(Kind.SILENCE, claim, random.nextInt(10) * 1_000_000_000L);
    }

    Claim claim(Step step) {
        return claims.get(step.claim());
    }

    String keeper(Step step) {
        return "K" + step.claim() % KEEPERS;
    }

    String describe(List<Step> part) {
        StringBuilder text = new StringBuilder();
        for (Step step : part) {
            Claim claim = claim(step);
            text.append("\n  ").append(step.kind());
            if (step.kind() == Kind.ADVANCE) {
                text.append(' ').append(Duration.ofNanos(step.number()));
            } else {
                text.append(' ')
                        .append(keeper(step))
                        .append(' ')
                        .append(claim.id())
                        .append(' ')
                        .append(claim.resource());
                text.append(' ')
                        .append(claim.mode())
                        .append(' ')
                        .append(claim.lease())
                        .append(' ');
                text.append(claim.queueing()).append(' ').append(step.number());
            }
        }
        return text.toString();
    }
}
