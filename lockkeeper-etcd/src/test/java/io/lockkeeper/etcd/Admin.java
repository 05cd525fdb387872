package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.etcd.client.Address;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import java.time.Duration;
import java.util.List;

/** Looks into a store and disturbs it, as an administrator can. */
final class Admin implements AutoCloseable {

    final Etcd etcd;
    private final Layout layout;

    Admin(int port, String prefix) {
        this.etcd = new Etcd(List.of(new Address("127.0.0.1", port)), null, null);
        this.layout = new Layout(prefix);
    }

    static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(20));
    }

    Queue queue(Resource resource) {
        Txn txn = new Txn();
        txn.then().all(layout.queue(resource));
        return Queue.of(etcd.run(txn, soon()).at(0).keys());
    }

    List<KeyValue> keys(String prefix) {
        return etcd.page(prefix, null, 10_000, soon());
    }

    private int size(Resource resource) {
        Txn txn = new Txn();
        txn.then().get(layout.size(resource));
        return StoredSize.of(etcd.run(txn, soon()).at(0).first()).size().permits();
    }

    void deleteHolders(Resource resource) {
        queue(resource).holders(size(resource)).forEach(this::delete);
    }

    void deleteWaiters(Resource resource) {
        Queue queue = queue(resource);
        List<Queue.Entry> holders = queue.holders(size(resource));
        queue.entries().stream().filter(entry -> !holders.contains(entry)).forEach(this::delete);
    }

    private void delete(Queue.Entry entry) {
        delete(entry.key().key());
    }

    void delete(String key) {
        Txn txn = new Txn();
        txn.then().delete(key);
        etcd.run(txn, soon());
    }

    /** The lease that a keeper's mailbox is on: the keeper's own. */
    long leaseOf(String keeper) {
        Txn txn = new Txn();
        txn.then().get(layout.mail(keeper));
        KeyValue mailbox = etcd.run(txn, soon()).at(0).first();
        if (mailbox == null) {
            throw new AssertionError("The keeper " + keeper + " has no mailbox");
        }
        return mailbox.lease();
    }

    @Override
    public void close() {
        etcd.close();
    }
}
