package io.lockkeeper.shell;

import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says why somebody waited in vain: who has it, for how long, and who is before. Costs a request, so only when it is over. */
final class Timeouts {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private Timeouts() {}

    static LockTimeoutException exception(Station station, Resource resource, Duration wait) {
        ResourceState state = look(station, resource);
        return new LockTimeoutException(describe(station, resource, wait, state), wait, state);
    }

    /** For those whose caller is told by null; only where somebody reads it. */
    static void log(Station station, Resource resource, Duration wait) {
        if (!wait.isZero() && LOG.isLoggable(System.Logger.Level.DEBUG)) {
            LOG.log(System.Logger.Level.DEBUG, describe(station, resource, wait, look(station, resource)));
        }
    }

    private static @Nullable ResourceState look(Station station, Resource resource) {
        try {
            return station.ask(() -> station.store().inspect(resource)).orElse(null);
        } catch (RuntimeException unanswered) {
            return null;
        }
    }

    private static String describe(Station station, Resource resource, Duration wait, @Nullable ResourceState state) {
        StringBuilder text = new StringBuilder("The " + resource + " was not acquired within " + Durations.text(wait));
        if (state == null) {
            return text.append("; who holds it is not known: it is free again, or the store did not answer")
                    .toString();
        }
        String between = ": ";
        for (ResourceState.Grant grant : state.grants()) {
            text.append(between).append(held(station, grant));
            between = "; ";
        }
        int here = waitingHere(station, resource);
        return text.append(between)
                .append(state.waiting())
                .append(" waiting in the store, ")
                .append(here)
                .append(" in this process")
                .toString();
    }

    private static String held(Station station, ResourceState.Grant grant) {
        boolean here = grant.holder().keeper().equals(station.id());
        return (grant.permits() > 0 ? grant.permits() + " permits held" : grant.shared() ? "shared" : "held")
                + (grant.heldFor().isZero()
                        ? ""
                        : " for "
                                + Durations.text(
                                        Duration.ofMillis(grant.heldFor().toMillis())))
                + " by " + grant.holder() + (here ? " (this keeper)" : "")
                + ", token " + grant.token();
    }

    private static int waitingHere(Station station, Resource resource) {
        int[] waiting = {0};
        station.at(resource, post -> waiting[0] = post.engine.waiting());
        return waiting[0];
    }
}
