package io.lockkeeper.benchmarks.peer;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** jetcd's {@code Lock}. Each thread has a lease of its own, since two holders on one lease both hold. */
final class JetcdPeer implements Peer {

    static final Library LIBRARY = new Library(
            "jetcd", "jetcd Lock", "etcd", "io.etcd:jetcd-core", Set.of(Feature.LOCK, Feature.RENEWAL), JetcdPeer::new);

    private final Client client;
    private final Queue<CloseableClient> renewals = new ConcurrentLinkedQueue<>();

    private JetcdPeer(String url) {
        client = Client.builder().endpoints(url.replaceFirst("^etcd:", "http:")).build();
    }

    private long lease() {
        try {
            long lease =
                    client.getLeaseClient().grant(LEASE_MILLIS / 1000).get().getID();
            renewals.add(client.getLeaseClient().keepAlive(lease, new Ignoring()));
            return lease;
        } catch (Exception e) {
            throw new IllegalStateException("There is no lease", e);
        }
    }

    @Override
    public Mutex lock(String name) {
        long lease = lease();
        ByteSequence key = ByteSequence.from(name, StandardCharsets.UTF_8);
        return new Mutex() {
            private ByteSequence held = ByteSequence.EMPTY;

            @Override
            public long acquire() throws Exception {
                held = client.getLockClient().lock(key, lease).get().getKey();
                return 0;
            }

            @Override
            public void release() throws Exception {
                client.getLockClient().unlock(held).get();
            }
        };
    }

    @Override
    public void close() {
        renewals.forEach(CloseableClient::close);
        client.close();
    }

    /** Nobody asks how renewals went. */
    private static final class Ignoring implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse value) {}

        @Override
        public void onError(Throwable t) {}

        @Override
        public void onCompleted() {}
    }
}
