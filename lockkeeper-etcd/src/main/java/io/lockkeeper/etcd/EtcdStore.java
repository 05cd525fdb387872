package io.lockkeeper.etcd;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.EtcdErrorException;
import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.etcd.client.TxnReply;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One keeper's access to etcd: {@link Attempts}, {@link Releases}, {@link Renewing} and the others have the rules. */
final class EtcdStore
        implements Store, NarrowingStore, SemaphoreStore, ForceReleaseStore, ExchangeStore, ExtendingStore, LatchStore {

    private final EtcdBackend backend;
    private final Access access;
    private final EtcdSizes sizes;
    private final Attempts attempts;
    private final Releases releases;
    private final Renewing renewing;
    private final EtcdLatches latches;
    private final Inspection inspection;

    EtcdStore(EtcdBackend backend, Etcd etcd, Layout layout, Keeper keeper, @Nullable Duration sessionTimeout) {
        this.backend = backend;
        OwnClaims own = new OwnClaims();
        this.access = new Access(
                etcd,
                layout,
                keeper,
                own,
                new SessionLeases(etcd, layout, keeper, own, sessionTimeout),
                new TimedLeases(etcd, keeper.clocks()),
                new Mail(etcd, layout, keeper, own));
        this.sizes = new EtcdSizes(access);
        Extensions extensions = new Extensions(access);
        this.attempts = new Attempts(access, sizes, extensions);
        this.releases = new Releases(access, attempts);
        this.renewing = new Renewing(access, extensions);
        this.latches = new EtcdLatches(access);
        this.inspection = new Inspection(access);
        access.mail().alsoTell(latches::told);
        access.sessions().afterContact(access.mail()::followServer);
    }

    void start() {
        Duration least = EtcdPolicy.OPENING;
        Duration patience = access.keeper().commandTimeout();
        Deadline until = Deadline.in(patience.compareTo(least) > 0 ? patience : least);
        checkFormat(until);
        access.sessions().start(until);
        access.mail().start();
    }

    private void checkFormat(Deadline until) {
        String key = access.layout().format();
        Txn look = new Txn();
        look.then().get(key);
        KeyValue found = access.etcd().run(look, until).at(0).first();
        String ours = Integer.toString(Layout.FORMAT);
        if (found == null) {
            Txn first = new Txn().ifMissing(key);
            first.then().put(key, ours, 0);
            first.orElse().get(key);
            TxnReply reply = access.etcd().run(first, until);
            found = reply.succeeded() ? null : reply.at(0).first();
        }
        if (found != null && !found.value().equals(ours)) {
            throw new NewerFormatException("The locks in " + backend.describe() + " have the format " + found.value()
                    + ", and this version of Lockkeeper knows " + ours + "; use a newer version, or another prefix");
        }
    }

    /** Thrown when another version of Lockkeeper wrote the store. */
    private static final class NewerFormatException extends LockkeeperException {
        private static final long serialVersionUID = 1;

        NewerFormatException(String message) {
            super(message, null);
        }
    }

    @Override
    public Answer attempt(Claim claim) {
        return attempts.attempt(claim);
    }

    @Override
    public Release.Outcome release(Release release) {
        return releases.release(release);
    }

    @Override
    public Exchanged exchange(Release release, Claim next) {
        return releases.exchange(this, release, next);
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return renewing.renew(held, timeout);
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return renewing.extend(held, timeout);
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return releases.narrow(held, to);
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return releases.force(resource);
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        sizes.resize(semaphore, permits);
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return inspection.inspect(resource);
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return inspection.list(prefix);
    }

    @Override
    public String storeId() {
        Deadline until = Deadline.in(access.keeper().commandTimeout());
        String key = access.layout().id();
        Txn look = new Txn();
        look.then().get(key);
        KeyValue found = access.read(look, until).at(0).first();
        while (found == null) {
            Txn first = new Txn().ifMissing(key);
            first.then().put(key, backend.knownId(), 0).get(key);
            first.orElse().get(key);
            TxnReply reply = access.etcd().run(first, until);
            found = reply.at(reply.succeeded() ? 1 : 0).first();
        }
        backend.idIs(found.value());
        return found.value();
    }

    @Override
    public boolean isReachable() {
        return access.sessions().isReachable();
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return latches.state(latch, wake);
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return latches.set(latch, operation, count);
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return latches.countDown(latch, generation, operation);
    }

    @Override
    public void delete(Resource latch, long generation) {
        latches.delete(latch, generation);
    }

    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        return type == SizeStore.class ? type.cast(sizes) : type.isInstance(this) ? type.cast(this) : null;
    }

    /** For tests. */
    Access access() {
        return access;
    }

    @Override
    public void close() {
        access.mail().close();
        access.sessions().close();
        access.etcd().close();
    }

    /** The opening failed half-way. */
    void abandon() {
        try {
            close();
        } catch (EtcdErrorException alsoFailed) {
            // The first failure is the one to tell.
        }
    }
}
