package io.lockkeeper.etcd;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;

/** What the parts of one keeper's store share. */
record Access(
        Etcd etcd, Layout layout, Keeper keeper, OwnClaims own, SessionLeases sessions, TimedLeases timed, Mail mail) {

    /** Runs a transaction that only reads. It changes nothing, so it is repeated while there is no answer and there is time. */
    TxnReply read(Txn txn, Deadline until) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return etcd.run(txn, until);
                } catch (StoreUnavailableException failure) {
                    if (until.left() <= EtcdPolicy.RETRY.toNanos()) {
                        throw failure;
                    }
                    // An interrupted thread does not park.
                    interrupted |= Thread.interrupted();
                    clocks().park(this, clocks().now().mono() + EtcdPolicy.RETRY.toNanos());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Clocks clocks() {
        return keeper.clocks();
    }
}
