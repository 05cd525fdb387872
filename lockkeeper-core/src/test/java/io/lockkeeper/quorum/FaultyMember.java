package io.lockkeeper.quorum;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member in memory that can be down, deaf to its own answers, or hanging. */
final class FaultyMember implements Backend {

    enum Fault {
        NONE,
        /** Requests fail and are not executed. */
        DOWN,
        /** Requests are executed and the reply is lost. */
        REPLY_LOST,
        /** Requests wait until {@link #heal} and are executed then. */
        HANGS
    }

    final MemoryBackend memory;
    final List<String> calls = new CopyOnWriteArrayList<>();
    final AtomicInteger hanging = new AtomicInteger();
    volatile @Nullable Keeper opener;
    volatile @Nullable Duration limitAtOpening;
    /** Is told of each method before it is executed. */
    volatile Consumer<String> before = method -> {};

    /** Is told of each method that was executed, before its reply. */
    volatile Consumer<String> executed = method -> {};

    private volatile Fault fault = Fault.NONE;
    /** Null for all methods. */
    private volatile @Nullable String only;

    private volatile CountDownLatch healed = new CountDownLatch(0);

    FaultyMember(Clocks clocks) {
        memory = MemoryBackend.create(clocks);
    }

    void fail(Fault kind) {
        fail(kind, null);
    }

    void fail(Fault kind, @Nullable String method) {
        healed = new CountDownLatch(kind == Fault.HANGS ? 1 : 0);
        only = method;
        fault = kind;
    }

    boolean isWell() {
        return fault == Fault.NONE;
    }

    void heal() {
        fault = Fault.NONE;
        healed.countDown();
    }

    @Override
    public String describe() {
        return "faulty " + memory.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return memory.capabilities();
    }

    @Override
    public Store open(Keeper keeper) {
        if (fault == Fault.DOWN && only == null) {
            throw new StoreUnavailableException("down");
        }
        limitAtOpening = keeper.commandTimeout();
        opener = keeper;
        Store inner = memory.open(keeper);
        List<Class<?>> types = new ArrayList<>(StoreAbility.ALL);
        types.add(Store.class);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), types.toArray(Class<?>[]::new), (proxy, method, args) -> {
                    return method.getName().equals("ability") ? proxy : call(inner, method, args);
                });
    }

    private @Nullable Object call(Store inner, Method method, Object @Nullable [] args) throws Throwable {
        boolean affected = !method.getName().equals("close")
                && (only == null || method.getName().equals(only));
        calls.add(method.getName());
        if (affected && fault == Fault.DOWN) {
            throw new StoreUnavailableException("down");
        }
        if (affected && fault == Fault.HANGS) {
            hanging.incrementAndGet();
            healed.await();
            hanging.decrementAndGet();
        }
        before.accept(method.getName());
        Object result;
        try {
            result = method.invoke(inner, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        executed.accept(method.getName());
        if (affected && fault == Fault.REPLY_LOST) {
            throw new StoreUnavailableException("reply lost");
        }
        return result;
    }

    @Override
    public void close() {
        memory.close();
    }
}
