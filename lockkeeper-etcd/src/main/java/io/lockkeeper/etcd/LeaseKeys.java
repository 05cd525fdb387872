package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The keys of a renewed lease, compared with the claims of the keeper.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>The key of a claim that the keeper does not use is deleted: a late request may have made it, or the keeper dropped the claim
 *       because it was refused. Everybody behind it would wait for as long as this keeper lives.
 *   <li>A claim whose key is not found, though it was there before the look was sent, holds nothing, and the keeper is notified.
 * </ul>
 */
final class LeaseKeys {

    private final Etcd etcd;
    private final Layout layout;
    private final Keeper keeper;
    private final OwnClaims own;

    LeaseKeys(Etcd etcd, Layout layout, Keeper keeper, OwnClaims own) {
        this.etcd = etcd;
        this.layout = layout;
        this.keeper = keeper;
        this.own = own;
    }

    /**
     * Compares.
     *
     * @param found the keys of the lease
     * @param sentAt when etcd was asked for them
     */
    void reconcile(LiveLease lease, Predicate<LiveLease> isLive, Set<String> found, Moment sentAt, Deadline until) {
        List<OwnClaim> missing = new ArrayList<>();
        for (OwnClaim claim : own.all()) {
            LiveLease in = claim.lease;
            if (in == lease && found.contains(claim.key)) {
                claim.seenAt = sentAt;
                if (!keeper.knows(claim.resource, claim.claimId)) {
                    // It was refused, and the keeper uses it no more: its key is a stray.
                    own.remove(claim);
                }
            } else if (in == lease && claim.knownAt.mono() - sentAt.mono() < 0) {
                missing.add(claim);
            } else if (in != null && !isLive.test(in) && !keeper.knows(claim.resource, claim.claimId)) {
                own.remove(claim);
            }
        }
        removeIfGone(missing, until);
        List<String> strays = new ArrayList<>();
        for (String key : found) {
            Resource resource = own.get(key) == null ? layout.resourceOf(key) : null;
            if (resource != null && !keeper.knows(resource, Layout.claimId(key))) {
                strays.add(key);
            }
        }
        for (int from = 0; from < strays.size(); from += EtcdPolicy.READ_AT_ONCE) {
            Txn deletion = new Txn();
            strays.subList(from, Math.min(strays.size(), from + EtcdPolicy.READ_AT_ONCE))
                    .forEach(deletion.then()::delete);
            etcd.runApart(deletion, until);
        }
    }

    /** The list of a lease may lag behind what was answered, a reading of the keys does not. */
    private void removeIfGone(List<OwnClaim> missing, Deadline until) {
        for (int from = 0; from < missing.size(); from += EtcdPolicy.READ_AT_ONCE) {
            List<OwnClaim> some = missing.subList(from, Math.min(missing.size(), from + EtcdPolicy.READ_AT_ONCE));
            Txn reading = new Txn();
            some.forEach(claim -> reading.then().find(claim.key));
            TxnReply reply = etcd.runApart(reading, until);
            for (int i = 0; i < some.size(); i++) {
                OwnClaim claim = some.get(i);
                KeyValue key = reply.at(i).first();
                boolean there = key != null && key.createRevision() == claim.createdAt;
                if (!there && own.remove(claim)) {
                    keeper.signal(claim.resource);
                }
            }
        }
    }
}
