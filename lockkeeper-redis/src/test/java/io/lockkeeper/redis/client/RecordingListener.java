package io.lockkeeper.redis.client;

import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Records what a subscription receives. */
public final class RecordingListener implements Redis.Listener {

    public final List<String> messages = new CopyOnWriteArrayList<>();
    public final AtomicInteger subscribed = new AtomicInteger();

    /** Why the subscription was refused. */
    final List<RuntimeException> refusals = new CopyOnWriteArrayList<>();

    /** The thread of the subscription. */
    volatile @Nullable Thread thread;

    /**
     * Returns when the subscription has so often asked whether it is still heard, without having been made anew. On a busy
     * machine an answer may come too late, and it is made anew: then it counts from there.
     */
    public void untilItMadeSure(int times, Redis.Subscription subscription, RedisServer server) {
        AtomicInteger counted = new AtomicInteger(-1);
        TestTimeouts.until("it has made sure on one connection", () -> {
            long pings = server.commandStats().getOrDefault("ping", 0L);
            boolean active = subscription.isActive();
            int now = subscribed.get();
            if (counted.getAndSet(now) != now) {
                server.resetStats();
                return false;
            }
            return active && pings >= times;
        });
    }

    @Override
    public void message(byte[] payload) {
        messages.add(new String(payload, StandardCharsets.UTF_8));
    }

    @Override
    public void subscribed() {
        thread = Thread.currentThread();
        subscribed.incrementAndGet();
    }

    @Override
    public void refused(RuntimeException why) {
        refusals.add(why);
    }
}
