package io.lockkeeper.etcd;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.EtcdErrorException.Kind;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Moment;
import java.time.Duration;

/**
 * How the key of a claim with a fixed lease is moved to a lease that lasts for it.
 *
 * <p><b>Invariant.</b> No extension makes a key end earlier. A key that lasts as long already stays where it is, and the key is written
 * only if nobody wrote it since it was seen. Were only its creation compared, then of two extensions the shorter one, arriving last,
 * would end what the longer one had promised.
 *
 * <p>A lease that this keeper renewed once never counts as one that lasts: the keeper may have given it up, and its end be under way.
 */
final class Extensions {

    private final Access access;

    Extensions(Access access) {
        this.access = access;
    }

    /**
     * Makes a claim last for its lease from then on.
     *
     * @param seen its key
     * @return false if the key is not there any more
     */
    boolean extend(Claim claim, OwnClaim mine, KeyValue seen, Moment from, Deadline until) {
        KeyValue now = seen;
        for (int i = 0; i < EtcdPolicy.LOOKS; i++) {
            if (lasts(now.lease(), from, claim.lease(), until)) {
                return true;
            }
            // No look at the renewed lease may miss it.
            mine.lease = null;
            ClaimData data = ClaimData.of(access.keeper().id(), claim).asNarrowAs(ClaimData.read(now.value()));
            try {
                Txn txn = new Txn().ifWrittenAt(seen.key(), now.modRevision());
                txn.then().put(seen.key(), data.text(), access.timed().lasting(claim.lease(), until));
                txn.orElse().get(seen.key());
                TxnReply reply = access.etcd().run(txn, until);
                if (reply.succeeded()) {
                    mine.data = data;
                    return true;
                }
                KeyValue found = reply.at(0).first();
                if (found == null || found.createRevision() != seen.createRevision()) {
                    return false;
                }
                now = found;
            } catch (EtcdErrorException refused) {
                if (refused.kind() != Kind.LEASE_NOT_FOUND) {
                    throw refused;
                }
                access.timed().forget();
            }
        }
        throw new StoreUnavailableException("The leases in etcd end again and again");
    }

    private boolean lasts(long lease, Moment from, Duration time, Deadline until) {
        if (lease == 0 || access.sessions().wasOurs(lease)) {
            return false;
        }
        return access.timed().lasts(lease, from, time)
                || access.etcd().look(lease, false, until).seconds() * 1000 >= time.toMillis();
    }
}
