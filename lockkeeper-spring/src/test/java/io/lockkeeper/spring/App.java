package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** An application on a store in memory, and another process beside it. */
final class App implements AutoCloseable {

    private final MemoryBackend store = MemoryBackend.create();
    final Lockkeeper keeper = Lockkeeper.builder().note("this").open(store);
    final Lockkeeper other = Lockkeeper.builder().note("the other process").open(store);
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private App() {}

    static App of(Class<?>... beans) {
        return of(Map.of(), context -> {}, beans);
    }

    static App of(LockkeeperSettings settings, Class<?>... beans) {
        return of(Map.of(), context -> context.registerBean(LockkeeperSettings.class, () -> settings), beans);
    }

    static App of(
            Map<String, Object> properties,
            Consumer<AnnotationConfigApplicationContext> customizer,
            Class<?>... beans) {
        App app = new App();
        app.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        app.context.registerBean("keeper", Lockkeeper.class, () -> app.keeper);
        customizer.accept(app.context);
        app.context.register(beans);
        try {
            app.context.refresh();
        } catch (RuntimeException | Error failed) {
            app.close();
            throw failed;
        }
        return app;
    }

    /** On a thread of its own: a shared pool may run it on the thread that waits for it, which has the locks already. */
    static CompletableFuture<Void> async(Runnable body) {
        return CompletableFuture.runAsync(body, task -> new Thread(task, "another call").start());
    }

    <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    ExclusiveHold heldElsewhere(String name) {
        ExclusiveHold hold = other.lock(name).tryAcquire();
        if (hold == null) {
            throw new AssertionError(name + " is held: " + other.inspect(name));
        }
        return hold;
    }

    boolean isFree(String name) {
        return other.inspect(name).map(state -> !state.isHeld()).orElse(true);
    }

    @Override
    public void close() {
        context.close();
        keeper.close();
        other.close();
        store.close();
    }
}
