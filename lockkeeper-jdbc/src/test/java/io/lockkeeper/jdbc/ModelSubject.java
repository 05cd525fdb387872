package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.ModelProgram;
import io.lockkeeper.testkit.StoreModel;
import io.lockkeeper.testkit.TestTimeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The keepers of a random program, on the tables of one scene. */
final class ModelSubject implements StoreModel.Subject, AutoCloseable {

    /** After three seconds a waiter counts as silent. */
    private static final Duration NO_TIME = Duration.ofSeconds(2);

    private static final int TRIES = 20;
    private static final String MARK = "mark ";

    private final SqlScene scene;
    /** Sends marks; null where keepers tell each other. */
    private final @Nullable Connection marker;

    private final Supplier<Duration> lull;
    private final List<TestKeeper> keepers = new ArrayList<>();
    private final List<Store> stores = new ArrayList<>();
    private int marks;

    private ModelSubject(SqlScene scene, @Nullable Connection marker, Supplier<Duration> lull) {
        this.scene = scene;
        this.marker = marker;
        this.lull = lull;
    }

    /** Keepers of one process, which tell each other directly. */
    static ModelSubject inOneProcess(SqlScene scene, Supplier<Duration> lull) {
        ModelSubject subject = new ModelSubject(scene, null, lull);
        JdbcBackend backend = scene.use(scene.byUrl().notifications(false).build());
        for (int i = 0; i < ModelProgram.KEEPERS; i++) {
            subject.open(backend);
        }
        return subject;
    }

    /** Keepers that know nothing of each other but what the database tells them. */
    static ModelSubject notified(SqlScene scene) throws SQLException {
        ModelSubject subject = new ModelSubject(scene, scene.with(scene.admin.connect()), () -> Duration.ZERO);
        for (int i = 0; i < ModelProgram.KEEPERS; i++) {
            subject.open(scene.with(scene.byUrl().build()));
        }
        TestTimeouts.until(
                "all of them listen", () -> subject.keepers.stream().allMatch(keeper -> keeper.signalledAll.get() > 0));
        return subject;
    }

    private void open(JdbcBackend backend) {
        TestKeeper keeper = new TestKeeper("k" + keepers.size());
        keepers.add(keeper);
        stores.add(backend.open(keeper));
    }

    /** Runs the programs of these seeds; fails with the seed of one that differs, and its steps. */
    void run(long firstSeed, int programs) {
        for (long seed = firstSeed; seed < firstSeed + programs; seed++) {
            run(seed);
        }
    }

    private void run(long seed) {
        for (int tries = 1; ; tries++) {
            ModelProgram program = new ModelProgram(seed, "model " + seed + " " + tries);
            long begun = System.nanoTime();
            String difference = StoreModel.difference(program, this);
            boolean counts = System.nanoTime() - begun < NO_TIME.toNanos() || tries == TRIES;
            if (difference == null) {
                return;
            }
            if (counts) {
                throw new AssertionError("Seed " + seed + " on " + scene.place + ": " + difference);
            }
        }
    }

    @Override
    public Store store(int keeper) {
        return stores.get(keeper);
    }

    @Override
    public void forget() {
        keepers.forEach(keeper -> keeper.signals.clear());
        keepers.forEach(keeper -> keeper.asked.clear());
    }

    @Override
    public Set<LeasedStore.Signal> told() {
        if (marker != null) {
            listen(marker);
        }
        Set<LeasedStore.Signal> told = new HashSet<>();
        for (TestKeeper keeper : keepers) {
            keeper.signals.stream()
                    .filter(resource -> !resource.name().startsWith(MARK))
                    .forEach(resource -> told.add(new LeasedStore.Signal(keeper.id(), resource)));
            keeper.asked.forEach(ask -> told.add(new LeasedStore.Signal(keeper.id(), ask.resource(), ask.claimId())));
        }
        return told;
    }

    /** Returns when everything is heard that was committed before: notifications come in the order of commits. */
    private void listen(Connection connection) {
        Resource mark = Resource.lock(MARK + marks++);
        List<LeasedStore.Signal> signals = keepers.stream()
                .map(keeper -> new LeasedStore.Signal(keeper.id(), mark))
                .toList();
        try {
            scene.dialect.tell(connection, signals);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        TestTimeouts.until(
                "the mark is heard", () -> keepers.stream().allMatch(keeper -> keeper.signals.contains(mark)));
    }

    @Override
    public Duration lull(Resource resource) {
        return lull.get();
    }

    @Override
    public void close() {
        stores.forEach(Store::close);
    }
}
