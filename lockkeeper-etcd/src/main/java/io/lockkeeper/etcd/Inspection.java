package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is held and by whom, for people. */
final class Inspection {

    private final Access access;

    Inspection(Access access) {
        this.access = access;
    }

    Optional<ResourceState> inspect(Resource resource) {
        Deadline until = Deadline.in(access.keeper().commandTimeout());
        Txn txn = new Txn();
        txn.then().all(access.layout().queue(resource)).get(access.layout().size(resource));
        TxnReply reply = access.read(txn, until);
        return state(resource, reply.at(0).keys(), StoredSize.of(reply.at(1).first()), new HashMap<>(), until);
    }

    /** @param rests how long leases last, as far as they were looked at */
    private Optional<ResourceState> state(
            Resource resource, List<KeyValue> keys, StoredSize stored, Map<Long, Long> rests, Deadline until) {
        Queue queue = Queue.of(keys);
        if (queue.entries().isEmpty()) {
            return Optional.empty();
        }
        int size = queue.entries().get(0).data().isForPermits() ? stored.size().permits() : 0;
        List<ResourceState.Grant> grants = new ArrayList<>();
        for (Queue.Entry holder : queue.holders(size)) {
            grants.add(new ResourceState.Grant(
                    holder.data().holder(),
                    holder.createdAt() << EtcdPolicy.TOKEN_BITS,
                    holder.data().isShared(),
                    holder.data().permits(),
                    remaining(holder, rests, until),
                    heldFor(holder)));
        }
        return Optional.of(new ResourceState(resource, grants, queue.entries().size() - grants.size(), size));
    }

    /** Of a renewed grant its lease; of a fixed one what is left of the lease in etcd, which is a little longer than its own. */
    private Duration remaining(Queue.Entry holder, Map<Long, Long> rests, Deadline until) {
        Duration lease = holder.data().lease();
        long id = holder.key().lease();
        if (id == 0 || !(holder.data().fixed() || lease.isZero())) {
            return lease;
        }
        Duration rest = Duration.ofSeconds(Math.max(
                0,
                rests.computeIfAbsent(
                        id, each -> access.etcd().look(each, false, until).seconds())));
        return lease.isZero() || rest.compareTo(lease) < 0 ? rest : lease;
    }

    /** Of this keeper's own grants only: etcd does not know when a key was written. */
    private Duration heldFor(Queue.Entry holder) {
        OwnClaim mine = access.own().get(holder.key().key());
        Moment now = access.clocks().now();
        return mine == null ? Duration.ZERO : Duration.ofNanos(now.since(mine.knownAt));
    }

    List<ResourceState> list(String prefix) {
        Map<Resource, List<KeyValue>> found = new LinkedHashMap<>();
        String last = null;
        while (true) {
            List<KeyValue> page = access.etcd()
                    .page(
                            access.layout().queues(),
                            last,
                            EtcdPolicy.PAGE,
                            Deadline.in(access.keeper().commandTimeout()));
            for (KeyValue key : page) {
                Resource resource = access.layout().resourceOf(key.key());
                if (resource != null && resource.name().startsWith(prefix)) {
                    found.computeIfAbsent(resource, each -> new ArrayList<>()).add(key);
                }
                last = key.key();
            }
            if (page.size() < EtcdPolicy.PAGE) {
                break;
            }
        }
        List<ResourceState> states = new ArrayList<>();
        Map<Long, Long> rests = new HashMap<>();
        for (Map.Entry<Resource, List<KeyValue>> each : found.entrySet()) {
            Deadline until = Deadline.in(access.keeper().commandTimeout());
            StoredSize size = StoredSize.of(null);
            if (ClaimData.read(each.getValue().get(0).value()).isForPermits()) {
                Txn txn = new Txn();
                txn.then().get(access.layout().size(each.getKey()));
                size = StoredSize.of(access.read(txn, until).at(0).first());
            }
            state(each.getKey(), each.getValue(), size, rests, until).ifPresent(states::add);
        }
        return states;
    }
}
