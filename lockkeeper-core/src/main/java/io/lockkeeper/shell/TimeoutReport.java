package io.lockkeeper.shell;

import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Describes why a wait timed out: the holder, for how long, and the waiters. It costs a request, so it is made after the timeout,
 * and only for a caller that gets an exception or a log that is enabled.
 */
final class TimeoutReport {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    /** Of several resources, this many are shown: each costs a request. */
    private static final int SHOWN = 4;

    /** This many threads of this process are named. */
    private static final int THREADS = 5;

    private TimeoutReport() {}

    /**
     * One of several resources that were requested together.
     *
     * @param name what it is called in the message
     */
    record Part(KeeperCore core, Resource resource, String name) {

        Part(KeeperCore core, Resource resource) {
            this(core, resource, "the " + resource);
        }
    }

    static LockTimeoutException exception(KeeperCore core, Resource resource, Duration wait) {
        ResourceState state = look(core, resource);
        return new LockTimeoutException(describe(core, resource, wait, state), wait, state);
    }

    /** @param missing the first one that was not acquired; null if it did not come to that */
    static LockTimeoutException exception(Object whole, @Nullable Part missing, Duration wait) {
        ResourceState state = missing == null ? null : look(missing.core, missing.resource);
        return new LockTimeoutException(describe(whole, missing, wait, state), wait, state);
    }

    /** @param parts all that were tried */
    static LockTimeoutException exception(Object whole, List<Part> parts, Duration wait) {
        return new LockTimeoutException(describe(whole, parts, wait), wait, null);
    }

    /** For callers that are told by null or false; only if the log is enabled. */
    static void log(KeeperCore core, Resource resource, Duration wait) {
        log(wait, () -> describe(core, resource, wait, look(core, resource)));
    }

    /** The same on a thread of the keeper, since it may take a request. */
    static void logAsync(KeeperCore core, Resource resource, Duration wait) {
        if (isLogged(wait) && !core.isClosed()) {
            core.workers().request(() -> log(core, resource, wait));
        }
    }

    static void log(Object whole, @Nullable Part missing, Duration wait) {
        log(wait, () -> {
            ResourceState state = missing == null ? null : look(missing.core, missing.resource);
            return describe(whole, missing, wait, state);
        });
    }

    static void log(Object whole, List<Part> parts, Duration wait) {
        log(wait, () -> describe(whole, parts, wait));
    }

    private static void log(Duration wait, Supplier<String> text) {
        if (isLogged(wait)) {
            LOG.log(System.Logger.Level.DEBUG, text.get());
        }
    }

    private static boolean isLogged(Duration wait) {
        return !wait.isZero() && !wait.isNegative() && LOG.isLoggable(System.Logger.Level.DEBUG);
    }

    private static @Nullable ResourceState look(KeeperCore core, Resource resource) {
        try {
            // The caller has left the queue, which the store may not know yet; else the caller itself is counted.
            core.chores().awaitFirstTries(resource, core.commandTimeout());
            return core.ask(() -> core.store().inspect(resource)).orElse(null);
        } catch (RuntimeException unanswered) {
            return null;
        }
    }

    private static String describe(KeeperCore core, Resource resource, Duration wait, @Nullable ResourceState state) {
        return notAcquired("The " + resource, wait) + (state == null ? "; " : ": ") + why(core, resource, state);
    }

    private static String describe(Object whole, @Nullable Part missing, Duration wait, @Nullable ResourceState state) {
        return notAcquired(whole, wait)
                + (missing == null
                        ? ""
                        : ": " + missing.name + " is missing, " + why(missing.core, missing.resource, state));
    }

    private static String describe(Object whole, List<Part> parts, Duration wait) {
        StringBuilder text = new StringBuilder(notAcquired(whole, wait));
        String between = ": ";
        for (Part part : parts.subList(0, Math.min(SHOWN, parts.size()))) {
            ResourceState state = look(part.core, part.resource);
            text.append(between).append(part.name).append(' ').append(state == null ? "not known" : held(part, state));
            between = "; ";
        }
        int more = parts.size() - SHOWN;
        return text + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String notAcquired(Object subject, Duration wait) {
        return subject + " was not acquired within " + Durations.text(wait);
    }

    private static String why(KeeperCore core, Resource resource, @Nullable ResourceState state) {
        if (state == null) {
            return "its holder is not known: it is free again, or the store did not answer";
        }
        StringBuilder text = new StringBuilder();
        for (ResourceState.Grant grant : state.grants()) {
            text.append(held(core, grant)).append("; ");
        }
        List<String> threads = core.at(resource, List.of(), slot -> slot.engine.waitingThreads(THREADS));
        int here = core.at(resource, 0, slot -> slot.engine.waiting());
        text.append(state.waiting())
                .append(" waiting in the store, ")
                .append(here)
                .append(" in this process");
        if (!threads.isEmpty()) {
            text.append(": ").append(String.join(", ", threads)).append(here > threads.size() ? ", …" : "");
        }
        return text.toString();
    }

    private static String held(Part part, ResourceState state) {
        return state.grants().isEmpty()
                ? "free"
                : String.join(
                        ", ",
                        state.grants().stream()
                                .map(grant -> held(part.core, grant))
                                .toList());
    }

    private static String held(KeeperCore core, ResourceState.Grant grant) {
        boolean here = grant.holder().keeper().equals(core.id());
        return (grant.permits() > 0 ? permits(grant.permits()) + " held" : grant.shared() ? "shared" : "held")
                + (grant.heldFor().isZero()
                        ? ""
                        : " for "
                                + Durations.text(
                                        Duration.ofMillis(grant.heldFor().toMillis())))
                + " by " + grant.holder() + (here ? " (this keeper)" : "")
                + ", token " + grant.token();
    }

    private static String permits(int permits) {
        return permits == 1 ? "1 permit" : permits + " permits";
    }
}
