package io.lockkeeper.shell;

import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Describes why a wait timed out: the holder, for how long, and the queue. It costs a request, so it is made after the timeout. */
final class TimeoutReport {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private TimeoutReport() {}

    static LockTimeoutException exception(KeeperCore core, Resource resource, Duration wait) {
        ResourceState state = look(core, resource);
        return new LockTimeoutException(describe(core, resource, wait, state), wait, state);
    }

    /** For callers that are told by null; only if the log is enabled. */
    static void log(KeeperCore core, Resource resource, Duration wait) {
        if (!wait.isZero() && LOG.isLoggable(System.Logger.Level.DEBUG)) {
            LOG.log(System.Logger.Level.DEBUG, describe(core, resource, wait, look(core, resource)));
        }
    }

    private static @Nullable ResourceState look(KeeperCore core, Resource resource) {
        try {
            return core.ask(() -> core.store().inspect(resource)).orElse(null);
        } catch (RuntimeException unanswered) {
            return null;
        }
    }

    private static String describe(KeeperCore core, Resource resource, Duration wait, @Nullable ResourceState state) {
        StringBuilder text = new StringBuilder("The " + resource + " was not acquired within " + Durations.text(wait));
        if (state == null) {
            return text.append("; its holder is not known: it is free again, or the store did not answer")
                    .toString();
        }
        String between = ": ";
        for (ResourceState.Grant grant : state.grants()) {
            text.append(between).append(held(core, grant));
            between = "; ";
        }
        int here = waitingHere(core, resource);
        return text.append(between)
                .append(state.waiting())
                .append(" waiting in the store, ")
                .append(here)
                .append(" in this process")
                .toString();
    }

    private static String held(KeeperCore core, ResourceState.Grant grant) {
        boolean here = grant.holder().keeper().equals(core.id());
        return (grant.permits() > 0 ? grant.permits() + " permits held" : grant.shared() ? "shared" : "held")
                + (grant.heldFor().isZero()
                        ? ""
                        : " for "
                                + Durations.text(
                                        Duration.ofMillis(grant.heldFor().toMillis())))
                + " by " + grant.holder() + (here ? " (this keeper)" : "")
                + ", token " + grant.token();
    }

    private static int waitingHere(KeeperCore core, Resource resource) {
        return core.at(resource, 0, slot -> slot.engine.waiting());
    }
}
