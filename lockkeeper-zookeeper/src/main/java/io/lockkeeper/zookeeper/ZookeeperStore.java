package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
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

/**
 * One keeper's access to ZooKeeper. It only joins the classes that do the work:
 *
 * <pre>
 * {@link Sessions}        the session of the keeper: kept alive, looked at, replaced
 * {@link Attempts}        whether a claim holds; {@link Places} makes and finds its node, {@link Recalls} asks for sticky grants
 * {@link RequestClaims}   claims that are owned by ids of the application
 * {@link Releases}        the end of claims; {@link ReleaseMarks} tells it to their own keepers
 * {@link Holdings}        what becomes of claims that hold
 * {@link ZookeeperSizes}  the sizes of semaphores
 * {@link ZookeeperLatches}
 * {@link Inspection}      what people are shown
 * </pre>
 */
final class ZookeeperStore
        implements Store, NarrowingStore, SemaphoreStore, ForceReleaseStore, ExchangeStore, ExtendingStore {

    private final ZookeeperBackend backend;
    private final Keeper keeper;
    private final Layout layout;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;
    private final ZookeeperLatches latches;
    private final Attempts attempts;
    private final Releases releases;
    private final Holdings holdings;
    private final Inspection inspection;

    ZookeeperStore(ZookeeperBackend backend, SessionSource source, Layout layout, Keeper keeper) {
        this.backend = backend;
        this.keeper = keeper;
        this.layout = layout;
        Tombstones tombstones = new Tombstones(keeper.clocks());
        Places places = new Places(layout, keeper, tombstones);
        RequestClaims requests = new RequestClaims(layout, keeper, tombstones);
        ReleaseMarks marks = new ReleaseMarks(layout, keeper.clocks());
        this.sessions = new Sessions(source, layout, keeper, in -> {
            tombstones.clean();
            requests.clean();
            marks.clean(in);
        });
        this.sizes = new ZookeeperSizes(sessions, layout, keeper);
        this.latches = new ZookeeperLatches(sessions, layout, keeper);
        this.attempts = new Attempts(layout, keeper, tombstones, sessions, sizes, places, requests, marks);
        this.releases = new Releases(layout, keeper, tombstones, sessions, sizes, places, attempts, marks);
        this.holdings = new Holdings(layout, keeper, sessions, sizes, marks);
        this.inspection = new Inspection(layout, keeper, sessions, sizes);
    }

    void start() {
        sessions.start();
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
    public boolean forceRelease(Resource resource) {
        return releases.forceRelease(resource);
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return holdings.renew(held, timeout);
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return holdings.extend(held, timeout);
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return holdings.narrow(held, to);
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
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> backend.storeId(in.wire, layout, until));
    }

    @Override
    public boolean isReachable() {
        return sessions.isReachable();
    }

    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        if (type == SizeStore.class) {
            return type.cast(sizes);
        }
        return type == LatchStore.class ? type.cast(latches) : Store.super.ability(type);
    }

    /** For tests: the session as it is now. */
    LiveSession session() {
        return sessions.current(Deadline.in(keeper.commandTimeout()));
    }

    @Override
    public void close() {
        sessions.close();
    }
}
