package io.lockkeeper.file;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import java.util.LinkedHashSet;

/**
 * Latches, each in a file of its own. Generations are drawn like tokens, so none is used twice, also after a deletion. Unlike
 * a grant a latch outlives the process that made it, so each change is forced to disk.
 */
final class FileLatches implements LatchStore {

    private final FileStore store;
    private final Keeper keeper;

    FileLatches(FileStore store, Keeper keeper) {
        this.store = store;
        this.keeper = keeper;
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return store.call(keeper.commandTimeout(), deadline -> {
            Ledger ledger = OpenLedger.peek(store.access(deadline).folder(), latch, deadline);
            return ledger == null || ledger.latch == null
                    ? new State(0, 0)
                    : new State(ledger.latch.generation(), ledger.latch.count());
        });
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + latch + " cannot count down from " + count + "; give it at least 1");
        }
        return store.call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.open(store.access(deadline).folder(), latch, deadline)) {
                Ledger ledger = open.ledger();
                Ledger.Latch now = ledger.latch;
                if (now != null && (now.count() > 0 || now.begunBy().equals(operation))) {
                    return now.begunBy().equals(operation);
                }
                long generation = ledger.draw(1, store.micros());
                ledger.latch = new Ledger.Latch(generation, count, operation, new LinkedHashSet<>());
                save(open);
                return true;
            }
        });
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return store.call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.find(store.access(deadline).folder(), latch, deadline)) {
                Ledger.Latch now = open == null ? null : open.ledger().latch;
                if (open == null || now == null || now.generation() != generation) {
                    return false;
                }
                if (now.count() > 0 && now.operations().add(operation)) {
                    if (now.count() == 0) {
                        open.ledger().latch = new Ledger.Latch(generation, 0, now.begunBy(), new LinkedHashSet<>());
                    }
                    save(open);
                }
                return true;
            }
        });
    }

    @Override
    public void delete(Resource latch, long generation) {
        store.call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.find(store.access(deadline).folder(), latch, deadline)) {
                Ledger.Latch now = open == null ? null : open.ledger().latch;
                if (open != null && now != null && now.generation() == generation) {
                    open.ledger().latch = null;
                    save(open);
                }
            }
            return true;
        });
    }

    private static void save(OpenLedger open) {
        open.save();
        open.force();
    }
}
