package io.lockkeeper.cli.leased;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Requests and answers as words of a line. */
final class Wire {

    private static final Duration POLL = Duration.ofMillis(10);

    private Wire() {}

    static String write(Claim claim) {
        return String.join(
                " ",
                claim.id(),
                write(claim.resource()),
                Long.toString(claim.lease().toNanos()),
                Boolean.toString(claim.fixed()),
                Integer.toString(claim.tokens()),
                claim.queueing().name(),
                Boolean.toString(claim.repeat()));
    }

    static Claim claim(String[] words) {
        return new Claim(
                words[2],
                resource(words, 3),
                Mode.EXCLUSIVE,
                nanos(words[5]),
                Boolean.parseBoolean(words[6]),
                Integer.parseInt(words[7]),
                Claim.Queueing.valueOf(words[8]),
                Boolean.parseBoolean(words[9]),
                new HolderInfo(words[1], "localhost", 0, ""),
                Duration.ofSeconds(1));
    }

    static String write(Release release) {
        return String.join(
                " ",
                release.claimId(),
                write(release.resource()),
                Long.toString(release.lease().toNanos()),
                Boolean.toString(release.unanswered()));
    }

    static Release release(String[] words) {
        return new Release(
                resource(words, 3), words[2], nanos(words[5]), Boolean.parseBoolean(words[6]), Duration.ofSeconds(1));
    }

    static String write(Answer answer) {
        if (answer instanceof Answer.Granted granted) {
            return "granted " + granted.token() + " " + granted.tokens() + " "
                    + granted.validity().toNanos();
        }
        if (answer instanceof Answer.Wait wait) {
            // The store counts on its signals, which are not passed on here.
            return "wait " + Math.min(wait.askAgainIn().toNanos(), POLL.toNanos());
        }
        return "refused " + ((Answer.Refused) answer).cause();
    }

    static Answer answer(String[] words) {
        return switch (words[0]) {
            case "granted" -> new Answer.Granted(Long.parseLong(words[1]), Integer.parseInt(words[2]), nanos(words[3]));
            case "wait" -> new Answer.Wait(nanos(words[1]));
            default -> new Answer.Refused(Answer.Cause.valueOf(words[1]), "The test's store refuses it");
        };
    }

    static String write(Renewal renewal) {
        return renewal instanceof Renewal.Kept kept
                ? "kept " + kept.validity().toNanos() + " " + kept.othersWait()
                : "gone " + ((Renewal.Gone) renewal).reason();
    }

    static Renewal renewal(String[] words) {
        return words[0].equals("kept")
                ? new Renewal.Kept(nanos(words[1]), Boolean.parseBoolean(words[2]))
                : new Renewal.Gone(Loss.Reason.valueOf(words[1]));
    }

    private static String write(Resource resource) {
        byte[] name = resource.name().getBytes(StandardCharsets.UTF_8);
        return resource.family().key() + " " + Base64.getUrlEncoder().encodeToString(name);
    }

    private static Resource resource(String[] words, int at) {
        byte[] name = Base64.getUrlDecoder().decode(words[at + 1]);
        return new Resource(new Family(words[at]), new String(name, StandardCharsets.UTF_8));
    }

    private static Duration nanos(String word) {
        return Duration.ofNanos(Long.parseLong(word));
    }
}
