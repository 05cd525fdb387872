package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SizeStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of semaphores, each in a key of its own.
 *
 * <p><b>Invariant.</b> A size is changed by a transaction that compares the revision of what was read, so that of two changes at once
 * neither is lost, and an {@linkplain SemaphoreSize operation} that is sent again counts once.
 */
final class EtcdSizes implements SizeStore {

    private final Access access;
    /** When the size that claims gave was last written again by this keeper. */
    private final Map<Resource, Long> refreshed = new ConcurrentHashMap<>();

    EtcdSizes(Access access) {
        this.access = access;
    }

    // ---- as claims use them

    /** Why a claim for permits is refused; null if it is not. The first claim that names a size gives it. */
    Answer.@Nullable Refused refusal(Claim claim, View view, Deadline until) {
        StoredSize stored = view.size();
        if (stored == null || !(claim.mode() instanceof Mode.Permits wanted)) {
            return null;
        }
        SemaphoreSize known = stored.size();
        Resource semaphore = claim.resource();
        if (!known.accepts(wanted.of())) {
            return refused("The " + semaphore + " has " + known.permits() + " permits in the store, not " + wanted.of()
                    + "; use that number or change it with resize");
        }
        if (wanted.of() > 0 && wanted.count() > wanted.of()) {
            return refused("The " + semaphore + " has " + wanted.of() + " permits, so " + wanted.count()
                    + " at once can never be had; ask for fewer or resize it");
        }
        SemaphoreSize used = known.usedWith(wanted.of());
        if (!used.equals(known) || isToBeRefreshed(semaphore, known)) {
            write(semaphore, stored, used, until);
        }
        return null;
    }

    private static Answer.Refused refused(String message) {
        return new Answer.Refused(Answer.Cause.FINAL, message);
    }

    /** Whether the store can only be waited for, since neither it nor the claim names a size. */
    boolean isMissing(Claim claim) {
        return claim.mode() instanceof Mode.Permits wanted && wanted.of() == 0;
    }

    private boolean isToBeRefreshed(Resource semaphore, SemaphoreSize size) {
        if (size.set() || size.permits() == 0) {
            return false;
        }
        Long last = refreshed.get(semaphore);
        return last == null || access.clocks().now().mono() - last > EtcdPolicy.SIZE_REFRESH.toNanos();
    }

    // ---- changes

    private StoredSize read(Resource semaphore, Deadline until) {
        Txn txn = new Txn();
        txn.then().get(access.layout().size(semaphore));
        return StoredSize.of(access.read(txn, until).at(0).first());
    }

    /** A size that is set stays; one that claims gave is kept for a while after the last use. */
    private boolean write(Resource semaphore, StoredSize before, SemaphoreSize size, Deadline until) {
        String key = access.layout().size(semaphore);
        for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
            long lease = size.set()
                    ? 0
                    : access.timed().lasting(RetentionTimes.SIZE_KEPT.plus(EtcdPolicy.SIZE_REFRESH), until);
            Txn txn = new Txn().ifWrittenAt(key, before.writtenAt());
            txn.then().put(key, StoredSize.text(size), lease);
            try {
                boolean written = access.etcd().run(txn, until).succeeded();
                if (written) {
                    refreshed.put(semaphore, access.clocks().now().mono());
                }
                return written;
            } catch (EtcdErrorException refused) {
                if (refused.kind() != EtcdErrorException.Kind.LEASE_NOT_FOUND) {
                    throw refused;
                }
                access.timed().forget();
            }
        }
        throw new StoreUnavailableException("The leases in etcd end again and again");
    }

    private SemaphoreSize change(Resource semaphore, UnaryOperator<SemaphoreSize> change) {
        Deadline until = Deadline.in(access.keeper().commandTimeout());
        while (!until.hasPassed()) {
            StoredSize read = read(semaphore, until);
            SemaphoreSize changed = change.apply(read.size());
            if (changed.equals(read.size())) {
                return changed;
            }
            if (write(semaphore, read, changed, until)) {
                if (changed.permits() > read.size().permits()) {
                    access.mail().later(() -> wake(semaphore, read.size().permits(), changed.permits()));
                }
                return changed;
            }
        }
        throw new StoreUnavailableException("The size of the " + semaphore + " changes again and again");
    }

    private void wake(Resource semaphore, int before, int after) {
        Txn txn = new Txn();
        txn.then().all(access.layout().queue(semaphore));
        TxnReply reply = access.etcd().runApart(txn, Deadline.in(access.keeper().commandTimeout()));
        Queue queue = Queue.of(reply.at(0).keys());
        WakeUps.tell(access.mail(), semaphore, queue.holders(before), queue.holders(after));
    }

    void resize(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        change(semaphore, size -> size.resized(permits));
    }

    @Override
    public int size(Resource semaphore) {
        return read(semaphore, Deadline.in(access.keeper().commandTimeout()))
                .size()
                .permits();
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        SemaphoreSize.check(semaphore, permits);
        return change(semaphore, size -> size.trySet(operation, permits)).has(operation);
    }

    @Override
    public void set(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        change(semaphore, size -> size.set(permits));
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return change(semaphore, size -> size.add(semaphore, operation, change, ifNone))
                .permits();
    }

    @Override
    public void clear(Resource semaphore) {
        Txn txn = new Txn();
        txn.then().delete(access.layout().size(semaphore));
        access.etcd().run(txn, Deadline.in(access.keeper().commandTimeout()));
    }
}
