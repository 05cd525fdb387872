package io.lockkeeper.file;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SizeStore;
import java.util.function.UnaryOperator;

/** The sizes of semaphores in the files of a store. */
final class FileSizes implements SizeStore {

    private final FileStore store;
    private final Keeper keeper;

    FileSizes(FileStore store, Keeper keeper) {
        this.store = store;
        this.keeper = keeper;
    }

    @Override
    public int size(Resource semaphore) {
        return store.call(keeper.commandTimeout(), deadline -> {
            Ledger ledger = OpenLedger.peek(store.access(deadline).folder(), semaphore, deadline);
            return ledger == null ? 0 : ledger.size.permits();
        });
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
        store.call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.find(store.access(deadline).folder(), semaphore, deadline)) {
                if (open != null) {
                    open.ledger().size = SemaphoreSize.NONE;
                    open.save();
                }
            }
            return true;
        });
    }

    private SemaphoreSize change(Resource semaphore, UnaryOperator<SemaphoreSize> change) {
        return store.call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.open(store.access(deadline).folder(), semaphore, deadline)) {
                SemaphoreSize before = open.ledger().size;
                SemaphoreSize after = change.apply(before);
                if (!after.equals(before)) {
                    open.ledger().size = after;
                    open.save();
                }
                return after;
            }
        });
    }
}
