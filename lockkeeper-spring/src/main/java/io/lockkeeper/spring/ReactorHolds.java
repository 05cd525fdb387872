package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import java.util.List;
import reactor.core.publisher.Mono;

/** The holds of {@link Locked} and {@link Limited} methods that the current subscription is in. */
public final class ReactorHolds {

    private ReactorHolds() {}

    /** The hold of the innermost lock; empty if there is none. */
    public static Mono<Hold> current() {
        return Mono.deferContextual(context -> {
            List<HeldLock> held = context.getOrDefault(ReactorCalls.HELD, List.<HeldLock>of());
            return held == null || held.isEmpty()
                    ? Mono.empty()
                    : Mono.just(held.get(held.size() - 1).hold());
        });
    }
}
