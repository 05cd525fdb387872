package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Keeps locks and transactions in the right order.
 *
 * <p><b>Invariant.</b> What was written under a lock is committed while the lock is held, or not at all. Usually the lock is taken before
 * the transaction begins, and the proxy releases it after the commit. Where a transaction is open already, the lock is released by a
 * synchronisation of that transaction. A release at the end of the method would break it: the next holder reads what is not
 * committed yet, and one update is lost.
 *
 * <p>As a listener of every transaction manager it sees each transaction that begins under a lock, however it was begun. Before the commit
 * the holds of the thread are checked; a loss is thrown and rolls the transaction back. Fenced holds are admitted by their guard when
 * the transaction <em>begins</em>: the row of the guard is locked from there on, so a successor that reads waits for the commit. If the
 * guard were asked at the commit only, a successor could read before a paused holder commits, and write over it after.
 *
 * <p>A listener must not throw when a transaction has begun, since its connection would stay with the thread. So a refusal is
 * remembered by the lock, and thrown before the commit.
 */
final class OpenTransactions implements Transactions, TransactionExecutionListener {

    private static final Log LOG = LogFactory.getLog(OpenTransactions.class);

    private final @Nullable Fences fences;
    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    /** @param fences null if the application has no JDBC */
    OpenTransactions(@Nullable Fences fences) {
        this.fences = fences;
    }

    @Override
    public void enter(HeldLock held, LockedCall call) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        boolean begunByCall = isBegunBy(call);
        if (held.rule().ownTransaction() && !begunByCall) {
            return;
        }
        if (!held.isNested()) {
            warn(call, begunByCall);
            TransactionSynchronizationManager.registerSynchronization(new ReleaseAtEnd(held));
            held.keptByTransaction();
        }
        if (fences != null && !TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            try {
                fences.admit(held);
            } catch (RuntimeException refused) {
                held.refuse(refused);
                throw refused;
            }
        }
    }

    /** Whether the advice of transactions is outside that of locks and has begun the transaction for this very call; Spring names it so. */
    private static boolean isBegunBy(LockedCall call) {
        return ClassUtils.getQualifiedMethodName(call.method(), AopUtils.getTargetClass(call.target()))
                .equals(TransactionSynchronizationManager.getCurrentTransactionName());
    }

    private void warn(LockedCall call, boolean begunByCall) {
        if (warned.add(call.method())) {
            LOG.warn("A transaction was open already when " + call.place()
                    + " took its lock. The lock is kept until that"
                    + " transaction has ended. This order is dangerous: what the transaction read before may be out of date,"
                    + " and every caller holds a connection while it waits for the lock. "
                    + (begunByCall
                            ? "Give @EnableTransactionManagement a greater order than @EnableLockkeeper."
                            : "Put @Locked on the method that begins the transaction, or give this one a transaction of"
                                    + " its own (Propagation.REQUIRES_NEW).")
                    + " This warning is logged once for this method.");
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure != null || fences == null || transaction.isReadOnly() || !transaction.isNewTransaction()) {
            return;
        }
        for (HeldLock held : Holds.here()) {
            try {
                fences.admit(held);
            } catch (RuntimeException refused) {
                LOG.error("The transaction under " + held + " will be rolled back: " + refused.getMessage());
                held.refuse(refused);
            }
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        for (HeldLock held : Holds.here()) {
            held.checkBeforeCommit();
        }
    }

    /**
     * Releases a lock when the transaction has ended, in whatever way, after everything else that waits for the end: listeners of the
     * commit run in the order in which they were registered, and still need the lock. So this one registers itself once more, as late
     * as it can.
     */
    private static final class ReleaseAtEnd implements TransactionSynchronization {

        private final HeldLock held;
        private boolean last;

        ReleaseAtEnd(HeldLock held) {
            this.held = held;
        }

        @Override
        public void beforeCompletion() {
            if (!last && TransactionSynchronizationManager.isSynchronizationActive()) {
                last = true;
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        release();
                    }
                });
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (!last) {
                release();
            }
        }

        private void release() {
            Holds.exit(held);
            held.leave();
        }
    }
}
