package io.lockkeeper.spring;

import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exception of a call whose lock was busy: the lock, its holder, how long it has been held, and how long the call waited. */
final class BusyReport {

    private BusyReport() {}

    /** Asks the store once for each name, until one is held. */
    static LockTimeoutException exception(Lockkeeper keeper, LockRule rule, List<String> names, String place) {
        Duration waited = rule.waitFor() == null ? Duration.ZERO : rule.waitFor();
        ResourceState state = null;
        for (String name : names) {
            state = state == null ? held(keeper, rule, name) : state;
        }
        String what = rule.isSemaphore() ? "permit of " : names.size() == 1 ? "lock " : "locks ";
        return new LockTimeoutException(
                place + " did not get the " + what + String.join(", ", names) + " within " + Durations.text(waited)
                        + (state == null
                                ? "; its holder is not known: it is free again, or the store did not answer"
                                : ": " + holders(state)),
                waited,
                state);
    }

    private static @Nullable ResourceState held(Lockkeeper keeper, LockRule rule, String name) {
        try {
            return keeper.inspect(rule.isSemaphore() ? Resource.semaphore(name) : Resource.lock(name))
                    .filter(ResourceState::isHeld)
                    .orElse(null);
        } catch (RuntimeException unanswered) {
            return null;
        }
    }

    private static String holders(ResourceState state) {
        List<String> holders = state.grants().stream().map(BusyReport::holder).toList();
        return state.resource() + " is " + String.join("; ", holders) + "; " + state.waiting()
                + " waiting in the store";
    }

    private static String holder(ResourceState.Grant grant) {
        Duration time = Duration.ofMillis(grant.heldFor().toMillis());
        return "held" + (time.isZero() ? "" : " for " + Durations.text(time)) + " by " + grant.holder() + ", token "
                + grant.token();
    }
}
