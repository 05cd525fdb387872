package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.RetentionTimes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Latches. The key of a latch names the operation that set it; a generation is a key of that operation, whose value is its target, with
 * a key below it for each operation that counted it down:
 *
 * <pre>
 * latch/latch/ready                    OPERATION of the set that stands
 * count/latch/ready/OPERATION          target
 * count/latch/ready/OPERATION/DOWN     (one for each count)
 * </pre>
 *
 * <p><b>Invariants.</b> The count is the target less the number of <em>different</em> operations, each a key of its own, so an
 * operation that is sent again counts once. A generation is the revision in which its key was created, so it is never used twice,
 * whatever was deleted in between. A new one begins by a comparison with what was read: of two that are set at once, one stands.
 *
 * <p>A latch that is open has the target 0 and a lease that is not renewed, so that it goes by itself once its waiters know.
 */
final class EtcdLatches {

    /** What a latch says: the key that names what stands, and the key of that generation with its counts. */
    private record Head(
            @Nullable KeyValue standing, @Nullable KeyValue generation, long counted) {

        String operation() {
            return standing == null ? "" : standing.value();
        }

        long number() {
            return generation == null ? 0 : generation.createRevision();
        }

        int count() {
            return generation == null ? 0 : (int) Math.max(0, Long.parseLong(generation.value()) - counted);
        }
    }

    private final Access access;
    /** For which latches this keeper has said that it waits, and on which lease. */
    private final Map<Resource, Long> waiting = new ConcurrentHashMap<>();

    EtcdLatches(Access access) {
        this.access = access;
    }

    private Deadline until() {
        return Deadline.in(access.keeper().commandTimeout());
    }

    LatchStore.State state(Resource latch, boolean wake) {
        Deadline until = until();
        if (wake) {
            await(latch, until);
        }
        Head head = read(latch, until);
        return new LatchStore.State(head.number(), head.count());
    }

    /** Before it reads the latch: what opens it after the reading then finds this keeper. */
    private void await(Resource latch, Deadline until) {
        LiveLease lease = access.sessions().main(until);
        Long said = waiting.get(latch);
        if (said != null && said == lease.id) {
            return;
        }
        Txn txn = new Txn();
        txn.then()
                .put(
                        access.layout().waiters(latch)
                                + Layout.escaped(access.keeper().id()),
                        access.keeper().id(),
                        lease.id);
        try {
            access.etcd().run(txn, until);
            waiting.put(latch, lease.id);
        } catch (EtcdErrorException refused) {
            if (refused.kind() != EtcdErrorException.Kind.LEASE_NOT_FOUND) {
                throw refused;
            }
            access.sessions().ended(lease);
        }
    }

    private Head read(Resource latch, Deadline until) {
        for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
            Txn first = new Txn();
            first.then().get(access.layout().latch(latch));
            KeyValue standing = access.read(first, until).at(0).first();
            if (standing == null) {
                return new Head(null, null, 0);
            }
            String generation = access.layout().count(latch, standing.value());
            Txn second = new Txn().ifWrittenAt(access.layout().latch(latch), standing.modRevision());
            second.then().get(generation).count(generation + "/");
            TxnReply reply = access.read(second, until);
            if (reply.succeeded()) {
                return new Head(standing, reply.at(0).first(), reply.at(1).count());
            }
        }
        throw new StoreUnavailableException("The " + latch + " changes again and again");
    }

    boolean set(Resource latch, String operation, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + latch + " cannot count down from " + count + "; give it at least 1");
        }
        Deadline until = until();
        String key = access.layout().latch(latch);
        String generation = access.layout().count(latch, operation);
        while (!until.hasPassed()) {
            Head head = read(latch, until);
            if (head.operation().equals(operation) || head.count() > 0) {
                return head.operation().equals(operation);
            }
            KeyValue standing = head.standing;
            Txn txn = new Txn()
                    .ifWrittenAt(key, standing == null ? 0 : standing.modRevision())
                    .ifMissing(generation);
            txn.then().put(key, operation, 0).put(generation, Integer.toString(count), 0);
            if (standing != null) {
                String old = access.layout().count(latch, standing.value());
                txn.then().delete(old).deleteAll(old + "/");
            }
            if (access.etcd().run(txn, until).succeeded()) {
                return true;
            }
        }
        throw new StoreUnavailableException("etcd did not answer in time");
    }

    boolean countDown(Resource latch, long generation, String operation) {
        Deadline until = until();
        Head head = read(latch, until);
        if (generation == 0 || head.number() != generation) {
            return false;
        }
        if (head.count() == 0) {
            return true;
        }
        String key = access.layout().count(latch, head.operation());
        Txn txn = new Txn().ifCreatedAt(key, generation);
        txn.then().put(key + "/" + Layout.escaped(operation), "", 0).get(key).count(key + "/");
        TxnReply reply = access.etcd().run(txn, until);
        if (!reply.succeeded()) {
            return false;
        }
        KeyValue target = reply.at(1).first();
        if (target != null && Long.parseLong(target.value()) <= reply.at(2).count()) {
            open(latch, head.operation(), generation, until);
        }
        return true;
    }

    /** The count is zero: what is left is kept for a while, and those that wait are told. */
    private void open(Resource latch, String operation, long generation, Deadline until) {
        String key = access.layout().latch(latch);
        String counted = access.layout().count(latch, operation);
        long lease = access.timed().lasting(RetentionTimes.OPEN_LATCH_KEPT, until);
        Txn txn = new Txn().ifCreatedAt(counted, generation);
        txn.then()
                .attach(key, lease)
                .put(counted, "0", lease)
                .deleteAll(counted + "/")
                .all(access.layout().waiters(latch))
                .deleteAll(access.layout().waiters(latch));
        try {
            TxnReply reply = access.etcd().run(txn, until);
            if (reply.succeeded()) {
                tell(latch, reply.at(3).keys());
            }
        } catch (EtcdErrorException refused) {
            if (refused.kind() != EtcdErrorException.Kind.LEASE_NOT_FOUND) {
                throw refused;
            }
            // It is open all the same; it only stays until it is set again, and waiters poll.
            access.timed().forget();
        }
    }

    private void tell(Resource latch, List<KeyValue> waiters) {
        for (KeyValue waiter : waiters) {
            access.mail().signal(waiter.value(), latch);
        }
        waiting.remove(latch);
    }

    /** This keeper was told of the latch, so it has to say again that it waits. */
    void told(Resource latch) {
        waiting.remove(latch);
    }

    void delete(Resource latch, long generation) {
        Deadline until = until();
        while (!until.hasPassed()) {
            Head head = read(latch, until);
            KeyValue standing = head.standing;
            if (standing == null || head.number() != generation) {
                return;
            }
            String key = access.layout().latch(latch);
            String counted = access.layout().count(latch, standing.value());
            Txn txn = new Txn().ifWrittenAt(key, standing.modRevision()).ifCreatedAt(counted, generation);
            txn.then()
                    .delete(key)
                    .delete(counted)
                    .deleteAll(counted + "/")
                    .all(access.layout().waiters(latch))
                    .deleteAll(access.layout().waiters(latch));
            TxnReply reply = access.etcd().run(txn, until);
            if (reply.succeeded()) {
                tell(latch, reply.at(3).keys());
                return;
            }
        }
        throw new StoreUnavailableException("etcd did not answer in time");
    }
}
