package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tables of their own in a database, and stores on them below the engine: the test sends each request itself. The user of the
 * stores has the documented rights and no others, where the database has users.
 */
final class SqlScene implements AutoCloseable {

    static final Duration LEASE = Duration.ofMinutes(1);
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final AtomicInteger COUNT = new AtomicInteger();

    final Place place;
    final SqlDatabase admin;
    final SqlDatabase user;
    final @Nullable SqlServer server;
    final Tables tables;
    final Dialect dialect;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, Store> stores = new HashMap<>();
    private @Nullable JdbcBackend backend;

    private SqlScene(Place place, SqlDatabase admin, SqlDatabase user, @Nullable SqlServer server, boolean tablesToo) {
        this.place = place;
        this.admin = admin;
        this.user = user;
        this.server = server;
        this.tables = new Tables(null, prefix());
        this.dialect = tablesToo
                ? TestTables.create(admin, tables, user.equals(admin) ? null : user.user())
                : TestTables.dialect(admin, tables);
    }

    static String prefix() {
        return "s" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet() + "_";
    }

    static SqlScene on(Place place) {
        return on(place, true);
    }

    /** The same without tables. */
    static SqlScene bare(Place place) {
        return on(place, false);
    }

    private static SqlScene on(Place place, boolean tables) {
        return switch (place) {
            case H2 -> new SqlScene(place, Databases.h2(), Databases.h2(), null, tables);
            case SQLITE -> new SqlScene(place, Databases.sqlite(), Databases.sqlite(), null, tables);
            case POSTGRES ->
                on(place, Databases.postgres(), Databases.postgres().admin(), tables);
            case MARIADB -> on(place, Databases.mariaDb(), Databases.mariaDbDatabase(), tables);
        };
    }

    private static SqlScene on(Place place, SqlServer server, SqlDatabase admin, boolean tables) {
        return new SqlScene(place, admin, server.asApp(admin), server, tables);
    }

    /** On a database of the test's own. */
    static SqlScene on(Place place, SqlDatabase database) {
        return new SqlScene(place, database, database, null, true);
    }

    /** On a server of the test's own. */
    static SqlScene on(Place place, SqlServer server) {
        return on(place, server, server.createDatabase(), true);
    }

    JdbcBackendBuilder builder() {
        return JdbcBackend.builder().tablePrefix(tables.prefix());
    }

    /** The builder of a backend on connections of the test. */
    JdbcBackendBuilder on(DataSource source) {
        return builder().dataSource(source);
    }

    /** The builder of a backend with connections of its own. */
    JdbcBackendBuilder byUrl() {
        return builder().url(user.fullUrl());
    }

    /** The backend that {@link #store} opens, unless it was set. */
    JdbcBackend backend() {
        JdbcBackend known = backend;
        return known == null ? use(byUrl().build()) : known;
    }

    /** Opens stores on this backend from now on. It is closed with the scene. */
    JdbcBackend use(JdbcBackend other) {
        backend = other;
        open.push(other);
        return other;
    }

    /** Closes something with the scene. */
    <T extends AutoCloseable> T with(T closed) {
        open.push(closed);
        return closed;
    }

    Store store(String keeper) {
        return stores.computeIfAbsent(keeper, id -> backend().open(new TestKeeper(id)));
    }

    static Resource lock() {
        return Resource.lock("name " + COUNT.incrementAndGet());
    }

    static Claim claim(Resource resource, Mode mode, Claim.Queueing queueing) {
        String id = UUID.randomUUID().toString().replace("-", "");
        return Claim.of(id, resource, mode, LEASE, new HolderInfo("k", "host", 7, "thread", "note"), TIMEOUT)
                .withQueueing(queueing);
    }

    static Claim exclusive(Resource resource) {
        return claim(resource, Mode.EXCLUSIVE, Claim.Queueing.NEVER);
    }

    Answer.Granted granted(String keeper, Claim claim) {
        return granted(store(keeper).attempt(claim));
    }

    static Answer.Granted granted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    void refused(String keeper, Claim claim) {
        assertThat(store(keeper).attempt(claim)).isInstanceOf(Answer.Wait.class);
    }

    Release.Outcome release(String keeper, Claim claim) {
        return release(keeper, claim, false);
    }

    Release.Outcome release(String keeper, Claim claim, boolean unanswered) {
        return store(keeper).release(new Release(claim.resource(), claim.id(), claim.lease(), unanswered, TIMEOUT));
    }

    Renewal renew(String keeper, Claim claim) {
        return store(keeper).renew(List.of(claim), TIMEOUT).get(0);
    }

    /** A store with connections of its own, whatever happens to those of the test. */
    private Store observer() {
        return stores.computeIfAbsent(
                "observer", id -> with(byUrl().notifications(false).build()).open(new TestKeeper(id)));
    }

    /** The token of the resource's holder, as another keeper sees it; 0 if there is none. */
    long token(Resource resource) {
        return observer()
                .inspect(resource)
                .filter(state -> !state.grants().isEmpty())
                .map(state -> state.grants().get(0).token())
                .orElse(0L);
    }

    /** Executes a statement as the administrator; {@code lock} and {@code latch} in braces are the tables. */
    void sql(String text) {
        admin.execute(named(text));
    }

    long number(String text) {
        return admin.number(named(text));
    }

    String named(String text) {
        return text.replace("{lock}", dialect.lock()).replace("{latch}", dialect.latch());
    }

    /** All leases end at once, as time does it. */
    void expireAll() {
        sql("UPDATE {lock} SET expires_at = 1 WHERE expires_at > 0 AND in_line = 0");
    }

    @Override
    public void close() throws Exception {
        stores.values().forEach(Store::close);
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
