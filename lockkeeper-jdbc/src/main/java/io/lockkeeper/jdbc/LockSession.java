package io.lockkeeper.jdbc;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection with all session locks of a keeper. Only the thread of its {@link SessionLink} uses it.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>What {@code grants} has is what the session has at the server, as long as the connection lives: nobody but this object takes
 *       or gives back locks of the session, and each statement that fails ends the session, whatever it may have done. So a look
 *       at the connection is a look at all its locks.
 *   <li>Two claims of this keeper never have one lock, unless both share it. The server would grant it to both, since locks are
 *       re-entrant in a session; so {@code uses} is asked first, by key and not by name, since two names may have the same key.
 *   <li>Each lock has a <em>turn</em>, another lock beside it that has to be had for a moment to take the first one. A claim that waits
 *       keeps the turn and polls, and gives it back with the grant or when it is withdrawn; the others poll for the turn. So a
 *       claim in its turn is passed over by nobody, a writer not by a stream of readers either. In which order claims get the turn
 *       is up to chance.
 *   <li>A token is the time at which the lock was had, in microseconds of the server's clock, with room for {@link #BLOCK} tokens in a
 *       microsecond. The next holder of the lock can have it only later.
 * </ul>
 *
 * <p>What would break the first: going on after a failed statement. It may have taken a lock of which nothing is known here, and
 * which the session would keep for nobody. What would break the last: transaction ids of PostgreSQL ({@code pg_current_xact_id}) as
 * tokens. The id of a transaction that writes nothing is not on disk when it is answered; a server that was killed right after gave it
 * out again in 9 of 10 restarts. A clock that is set back breaks it too, which the Javadoc of {@link SessionLocksBackend} says.
 */
final class LockSession {

    /** How many tokens a grant may have. */
    static final int BLOCK = 1 << 10;

    /** A lock that a claim has. */
    private record Held(Claim claim, LockKey key, boolean shared, long token, int tokens, Moment since) {

        Held asShared() {
            return new Held(claim, key, true, token, tokens, since);
        }
    }

    /** How many claims of this keeper have a lock. */
    private record Use(boolean shared, int claims) {}

    private final Connection connection;
    private final SessionSql sql;
    private final Keeper keeper;
    private final Session session;
    private final Map<String, Held> grants = new LinkedHashMap<>();
    private final Map<LockKey, Use> uses = new HashMap<>();
    /** Of this keeper's claims, those that wait and have the turn. */
    private final Map<LockKey, Claim> turns = new LinkedHashMap<>();

    /** When the last statement was sent that was answered, in real time. */
    private long contactAt = Deadline.now();

    private long reconciledAt = Deadline.now();

    /** @param openedAt just before the first statement was sent */
    LockSession(Connection connection, SessionSql sql, Keeper keeper, Moment openedAt) {
        this.connection = connection;
        this.sql = sql;
        this.keeper = keeper;
        this.session = Session.direct(keeper.lease(), openedAt);
    }

    Session session() {
        return session;
    }

    Connection connection() {
        return connection;
    }

    boolean hasShared() {
        return sql.hasShared();
    }

    boolean isOver() {
        return session.isOver(keeper.clocks().now());
    }

    boolean isAnswer(SQLException e) {
        return sql.isAnswer(e);
    }

    /** A statement, and what it answered. */
    private interface Statement {
        long execute() throws SQLException;
    }

    /** Executes a statement. Each one that is answered by the session proves that it lives. */
    private long ask(Statement statement) throws SQLException {
        Moment sentAt = keeper.clocks().now();
        long sent = Deadline.now();
        long answer = statement.execute();
        if (answer == SessionSql.ELSEWHERE) {
            throw new SQLException("a statement came to another session of the server, which has none of the locks");
        }
        if (!session.contacted(sentAt, keeper.clocks().now())) {
            throw new SQLException("the answer came when the session was over");
        }
        contactAt = sent;
        return answer;
    }

    /** The grant of the claim; null if the lock is taken. */
    Answer.@Nullable Granted attempt(Claim claim) throws SQLException {
        Held mine = grants.get(claim.id());
        if (mine != null) {
            if (session.remaining(keeper.clocks().now()) < session.timeout().toNanos() / 3) {
                ping();
            }
            return granted(mine);
        }
        boolean shared = claim.mode() instanceof Mode.Shared;
        LockKey key = sql.key(claim.resource());
        boolean staying = claim.queueing() != Claim.Queueing.NEVER;
        Claim next = turns.get(key);
        boolean inTurn = next != null && next.id().equals(claim.id());
        if (next != null && !inTurn) {
            return null;
        }
        Moment before = keeper.clocks().now();
        long micros;
        Use use = uses.get(key);
        if (use == null || (shared && use.shared)) {
            micros = inTurn ? ask(() -> sql.tryLockInTurn(key, shared)) : takeWithTurn(key, shared, staying);
        } else {
            micros = staying && !inTurn ? ask(() -> sql.tryTurn(key)) : SessionSql.NOTHING;
        }
        if (micros == SessionSql.IN_TURN) {
            turns.put(key, claim);
        }
        if (micros <= SessionSql.NOTHING) {
            return null;
        }
        turns.remove(key);
        // Readers may have it in the same microsecond.
        long token = micros * BLOCK + (shared ? Math.floorMod(System.identityHashCode(session), BLOCK) : 0);
        int tokens = shared ? 1 : Math.min(claim.tokens(), BLOCK);
        Held held = new Held(claim, key, shared, token, tokens, before);
        grants.put(claim.id(), held);
        uses.merge(key, new Use(shared, 1), (known, one) -> new Use(known.shared, known.claims + 1));
        return granted(held);
    }

    /** If the server answers that it has no memory for the lock, it may have had some for the turn. */
    private long takeWithTurn(LockKey key, boolean shared, boolean staying) throws SQLException {
        try {
            return ask(() -> sql.tryLock(key, shared, staying));
        } catch (SQLException e) {
            if (sql.isAnswer(e)) {
                ask(() -> sql.unlock(key.turn(), false));
            }
            throw e;
        }
    }

    private Answer.Granted granted(Held held) {
        return new Answer.Granted(held.token, held.tokens, held.claim.lease(), session);
    }

    boolean has(String claimId) {
        return grants.containsKey(claimId);
    }

    /** Whether the claim is the next one. */
    boolean isInTurn(Claim claim) {
        Claim next = turns.get(sql.key(claim.resource()));
        return next != null && next.id().equals(claim.id());
    }

    private boolean isIdle() {
        return grants.isEmpty();
    }

    /** Whether the claim had a lock, which is free now; or it had the turn, which is free too. */
    boolean release(Resource resource, String claimId) throws SQLException {
        Held held = grants.get(claimId);
        if (held == null) {
            LockKey key = sql.key(resource);
            Claim next = turns.get(key);
            if (next != null && next.id().equals(claimId)) {
                expect(ask(() -> sql.unlock(key.turn(), false)));
                turns.remove(key);
            }
            return false;
        }
        expect(ask(() -> sql.unlock(held.key, held.shared)));
        grants.remove(claimId);
        uses.computeIfPresent(held.key, (key, use) -> use.claims == 1 ? null : new Use(use.shared, use.claims - 1));
        return true;
    }

    /** Whether the claim has a lock, which is shared now. */
    boolean narrow(String claimId) throws SQLException {
        Held held = grants.get(claimId);
        if (held == null || held.shared) {
            return held != null;
        }
        expect(ask(() -> sql.narrow(held.key)));
        grants.put(claimId, held.asShared());
        uses.put(held.key, new Use(true, 1));
        return true;
    }

    private static void expect(long answer) throws SQLException {
        if (answer != SessionSql.DONE) {
            throw new SQLException("the server does not know a lock of this session");
        }
    }

    /** Makes sure that the connection was there not longer ago than this. */
    void confirm(Duration age) throws SQLException {
        if (Deadline.now() - contactAt > age.toNanos()) {
            ping();
        }
    }

    private void ping() throws SQLException {
        ask(sql::ping);
    }

    /** Nanoseconds until the next contact is due. */
    long untilContact() {
        return contactAt + contactEvery() - Deadline.now();
    }

    private long contactEvery() {
        long every = session.contactEvery().toNanos();
        return isIdle() ? every : Math.min(every, JdbcPolicy.SESSION_PING.toNanos());
    }

    /** Keeps the session alive, finds out whether it is, and gives back what the keeper knows nothing of. */
    void contact() throws SQLException {
        ping();
        if (Deadline.now() - reconciledAt < session.contactEvery().toNanos()) {
            return;
        }
        reconciledAt = Deadline.now();
        List<Claim> claims = new ArrayList<>(turns.values());
        grants.values().forEach(held -> claims.add(held.claim));
        for (Claim claim : claims) {
            if (!keeper.knows(claim.resource(), claim.id())) {
                release(claim.resource(), claim.id());
            }
        }
    }

    Optional<ResourceState> inspect(Resource resource) throws SQLException {
        LockKey key = sql.key(resource);
        List<ResourceState.Grant> found = new ArrayList<>();
        Moment now = keeper.clocks().now();
        for (Held held : grants.values()) {
            if (held.claim.resource().equals(resource)) {
                found.add(grant(held, now));
            }
        }
        for (SessionSql.Seen seen : sql.holders(key)) {
            if (!seen.own()) {
                found.add(new ResourceState.Grant(seen.holder(), 0, seen.shared(), 0, Answer.FOREVER));
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(new ResourceState(resource, found, 0, 0));
    }

    private static ResourceState.Grant grant(Held held, Moment now) {
        HolderInfo holder = held.claim.holder();
        Duration heldFor = Duration.ofNanos(now.since(held.since));
        return new ResourceState.Grant(holder, held.token, held.shared, 0, held.claim.lease(), heldFor);
    }

    String storeId() throws SQLException {
        return sql.storeId();
    }

    /** Gives all locks back, then closes the connection; the second does the first too, but nobody knows when. */
    void close() {
        try {
            connection.setNetworkTimeout(Runnable::run, (int) JdbcPolicy.SESSION_CLOSING.toMillis());
            sql.unlockAll();
        } catch (SQLException | RuntimeException e) {
            // The connection ends below, and its locks with it.
        }
        session.end();
        ConnectionSource.cut(connection);
    }
}
