package io.lockkeeper.spring;

import io.lockkeeper.LockLostException;
import io.lockkeeper.LockkeeperException;
import java.util.List;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs methods under their locks: takes each lock, the outermost first, runs the method, and gives the locks back.
 *
 * <p><b>Invariant.</b> The method runs only while every lock whose rule applies has been taken and not been given back. There is one
 * call of the method, at the end of {@link #run}; each lock is entered on the way there and left on the way back, whatever is thrown.
 */
final class LockInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final LockTaker locks;
    private final Beans beans;
    private final Transactions transactions;
    private final LockOrders orders;
    private final TokenLog log;
    private final @Nullable ReactorCalls reactor;

    LockInterceptor(
            LockedMethods methods,
            LockTaker locks,
            Beans beans,
            Transactions transactions,
            LockOrders orders,
            TokenLog log,
            @Nullable ReactorCalls reactor) {
        this.methods = methods;
        this.locks = locks;
        this.beans = beans;
        this.transactions = transactions;
        this.orders = orders;
        this.log = log;
        this.reactor = reactor;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis(), "target");
        LockedMethod locked = methods.find(invocation.getMethod(), target.getClass());
        if (locked == null) {
            return invocation.proceed();
        }
        LockedCall call = new LockedCall(invocation, locked, beans);
        return switch (locked.style()) {
            case PLAIN, STAGE -> run(call, 0);
            case MONO -> Objects.requireNonNull(reactor).mono(call);
            case FLUX -> Objects.requireNonNull(reactor).flux(call);
        };
    }

    /** Takes the lock of this rule and then those after it. */
    private @Nullable Object run(LockedCall call, int index) throws Throwable {
        List<LockRule> rules = call.locked().rules();
        if (index == rules.size()) {
            return call.proceed();
        }
        LockRule rule = rules.get(index);
        if (!call.isSubjectTo(rule)) {
            return run(call, index + 1);
        }
        List<String> names = rule.names().of(call);
        HeldLock held = take(rule, names, call);
        return held == null ? busy(rule, names, call) : under(held, call, index);
    }

    private @Nullable HeldLock take(LockRule rule, List<String> names, LockedCall call) {
        orders.check(Holds.here(), rule, names, call.place());
        try {
            return locks.take(rule, names, call);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockkeeperException(
                    call.place() + " was interrupted while it waited for the lock " + String.join(", ", names),
                    interrupted);
        }
    }

    private @Nullable Object under(HeldLock held, LockedCall call, int index) throws Throwable {
        Object result = null;
        Throwable failure = null;
        Holds.enter(held);
        try (AutoCloseable token = log.show(held.hold());
                AutoCloseable interrupt = interruptOf(held)) {
            transactions.enter(held, call);
            call.inject(held.hold());
            result = run(call, index + 1);
            result = StageCalls.keepUntilDone(held, result);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        held.lossSoFar();
        if (!held.isKeptByTransaction()) {
            Holds.exit(held);
        }
        held.leave();
        if (!held.isKeptByTransaction() && !held.isNested() && call.locked().style() == LockedMethod.Style.PLAIN) {
            Holds.leaveBehind(held);
        }
        return outcome(held, result, failure);
    }

    private static AutoCloseable interruptOf(HeldLock held) {
        return held.rule().onLost() == OnLost.INTERRUPT ? new LossInterrupt(held.hold()) : () -> {};
    }

    private static @Nullable Object outcome(HeldLock held, @Nullable Object result, @Nullable Throwable failure)
            throws Throwable {
        LockLostException lost = held.lossToThrow();
        if (failure == null && lost == null) {
            return result;
        }
        if (failure == null || failure == lost) {
            throw Objects.requireNonNull(lost);
        }
        if (lost != null && held.rule().onLost() == OnLost.INTERRUPT) {
            lost.addSuppressed(failure);
            throw lost;
        }
        if (lost != null) {
            failure.addSuppressed(lost);
        }
        throw failure;
    }

    private @Nullable Object busy(LockRule rule, List<String> names, LockedCall call) throws Throwable {
        return switch (rule.whenBusy()) {
            case THROW -> throw BusyReport.exception(locks.keeper(rule), rule, names, call.place());
            case SKIP -> StageCalls.skipped(call.method());
            case FALLBACK ->
                Fallbacks.call(
                        Objects.requireNonNull(rule.fallback()),
                        call,
                        () -> BusyReport.exception(locks.keeper(rule), rule, names, call.place()));
        };
    }
}
