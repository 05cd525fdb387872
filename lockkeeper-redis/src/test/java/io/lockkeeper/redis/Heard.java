package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what a subscription hears. */
final class Heard implements Redis.Listener {

    final List<String> messages = new CopyOnWriteArrayList<>();
    final AtomicInteger subscribed = new AtomicInteger();

    @Override
    public void message(byte[] payload) {
        messages.add(new String(payload, StandardCharsets.UTF_8));
    }

    @Override
    public void subscribed() {
        subscribed.incrementAndGet();
    }
}
