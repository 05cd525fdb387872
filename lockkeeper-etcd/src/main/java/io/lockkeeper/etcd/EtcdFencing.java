package io.lockkeeper.etcd;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import org.jspecify.annotations.Nullable;

/**
 * A guard for data in etcd. It stores, in a key of its own, the greatest token that it admitted and the hold that had it.
 *
 * <p><b>What it promises.</b> {@link #write} checks and writes in one transaction: a holder that was paused past its lease cannot
 * overwrite what a later one wrote, whatever its clock says. {@link #admit} only checks; a write that follows it is a separate step,
 * and a later holder may write in between.
 *
 * <p><b>What it does not promise.</b> What it remembers is a key like any other: it is lost if that is deleted.
 */
public final class EtcdFencing implements Fencing {

    private final Etcd etcd;
    private final Layout layout;

    EtcdFencing(Etcd etcd, Layout layout) {
        this.etcd = etcd;
        this.layout = layout;
    }

    @Override
    public void admit(String what, ExclusiveHold hold) {
        given(what, "what");
        given(hold, "hold");
        pass(what, hold, null);
    }

    /**
     * Writes a key if no later holder was admitted for it.
     *
     * @param key any key of this etcd that the user may write
     * @throws StaleTokenException if a later hold was admitted before; nothing is written then
     */
    public void write(String key, String value, ExclusiveHold hold) {
        given(key, "key");
        given(value, "value");
        given(hold, "hold");
        pass(key, hold, value);
    }

    private void pass(String what, ExclusiveHold hold, @Nullable String value) {
        Deadline until = Deadline.in(EtcdPolicy.GUARD);
        String guard = layout.guard(what);
        String mine = hold.token() + " " + hold.id();
        Txn look = new Txn();
        look.then().get(guard);
        KeyValue seen = etcd.run(look, until).at(0).first();
        while (!until.hasPassed()) {
            check(what, hold, seen);
            if (value == null && seen != null && seen.value().equals(mine)) {
                return;
            }
            Txn txn = new Txn().ifWrittenAt(guard, seen == null ? 0 : seen.modRevision());
            txn.then().put(guard, mine, 0);
            if (value != null) {
                txn.then().put(what, value, 0);
            }
            txn.orElse().get(guard);
            TxnReply reply = etcd.run(txn, until);
            if (reply.succeeded()) {
                return;
            }
            seen = reply.at(0).first();
        }
        throw new StoreUnavailableException("The guard of '" + what + "' in etcd changes again and again");
    }

    /** Greater is admitted, or equal with the same hold: a store that ever repeats a token admits only one holder of it. */
    private static void check(String what, ExclusiveHold hold, @Nullable KeyValue seen) {
        if (seen == null) {
            return;
        }
        String[] words = seen.value().split(" ", 2);
        long last = Long.parseLong(words[0]);
        boolean same = words.length == 2 && words[1].equals(hold.id());
        if (hold.token() < last || (hold.token() == last && !same)) {
            throw new StaleTokenException(what, hold.token(), last);
        }
    }
}
