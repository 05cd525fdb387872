package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The primary that a group of sentinels names.
 *
 * <p>Invariant: nothing is sent to a server that is known not to be the primary. Sentinels may disagree for a moment, and one
 * that is cut off may name the old primary for a long time; so several are asked, the one with the newest configuration is believed,
 * and the named server has to confirm with ROLE that it is a primary before it gets a request. The sentinels are asked again
 * whenever a connection breaks, a server says READONLY, or a subscription {@linkplain #isStill checks its server}. An old
 * primary that is cut off from its sentinels but not from this client is written to until one of these happens: no client can
 * know better.
 */
final class SentinelPrimary implements Primary {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private static final long PAUSE = ClientPolicy.SENTINEL_PAUSE.toNanos();
    private static final long ENOUGH_FOR_ONE = ClientPolicy.SENTINEL_ANSWER.toNanos();

    private final String master;
    private final List<Address> sentinels;
    private final ConnectionSettings toSentinels;
    private final ConnectionSettings toPrimary;
    private final int maxConnections;
    private final String description;

    /** One thread asks the sentinels, the others wait for its answer. */
    private final ReentrantLock asking = new ReentrantLock();

    private volatile @Nullable ConnectionPool current;
    private volatile boolean doubted;
    private volatile boolean closed;

    /** @param maxConnections the most connections to the primary */
    SentinelPrimary(
            List<Address> sentinels,
            String master,
            ConnectionSettings toSentinels,
            ConnectionSettings toPrimary,
            int maxConnections,
            String description) {
        this.master = master;
        this.sentinels = new ArrayList<>(sentinels);
        this.toSentinels = toSentinels;
        this.toPrimary = toPrimary;
        this.maxConnections = maxConnections;
        this.description = description;
    }

    @Override
    public ConnectionPool pool(Deadline until) {
        ConnectionPool pool = current;
        return pool != null && !doubted ? pool : find(until);
    }

    @Override
    public boolean doubt(ConnectionPool pool, RuntimeException trouble) {
        if (trouble instanceof ErrorReplyException && !RedisErrors.isReadOnly(trouble)) {
            return false;
        }
        if (pool == current) {
            doubted = true;
        }
        return true;
    }

    private ConnectionPool find(Deadline until) {
        if (!until.lock(asking)) {
            throw new StoreUnavailableException("The sentinels of " + description + " did not answer in time");
        }
        try {
            while (true) {
                ConnectionPool pool = current;
                if (pool != null && !doubted) {
                    return pool;
                }
                if (closed) {
                    throw new StoreUnavailableException("The connections to " + description + " are closed");
                }
                LockkeeperException trouble;
                try {
                    return settle(named(until), until);
                } catch (StoreUnavailableException e) {
                    trouble = e;
                }
                if (until.left() < 2 * PAUSE) {
                    throw trouble;
                }
                LockSupport.parkNanos(PAUSE);
            }
        } finally {
            asking.unlock();
        }
    }

    /** Makes a server the current one if it says itself that it is a primary. */
    private ConnectionPool settle(Address server, Deadline until) {
        ConnectionPool old = current;
        ConnectionPool pool = old != null && old.server().equals(server)
                ? old
                : new ConnectionPool(server, toPrimary, maxConnections);
        try {
            // A server that hangs must leave time to ask for another one.
            SocketConnection connection = pool.take(until.within(until.left() / 3));
            try {
                Object answer = connection.demand(new Command("ROLE"));
                String role = ReplyShape.of("ROLE", () -> text(((List<?>) answer).get(0)));
                if (!role.equals("master")) {
                    connection.close();
                    throw new StoreUnavailableException("The sentinels of " + description + " name " + server
                            + " as the primary, but it is a replica; a failover may be under way");
                }
            } catch (RequestException e) {
                throw RedisErrors.asking(server, e);
            } finally {
                pool.give(connection);
            }
        } catch (RuntimeException e) {
            if (pool != old) {
                pool.close();
            }
            throw e;
        }
        if (pool != old) {
            current = pool;
            if (old != null) {
                old.close();
                LOG.log(Level.INFO, "The primary of {0} is {1} now", description, server.urlText());
            }
        }
        doubted = false;
        return pool;
    }

    /** The server that most sentinels could know by now: of the answers of a majority, the one with the newest configuration. */
    private Address named(Deadline until) {
        Address best = null;
        long newest = -1;
        int answers = 0;
        LockkeeperException trouble = null;
        List<Address> asked = List.copyOf(sentinels);
        for (int i = 0; i < asked.size() && answers <= asked.size() / 2; i++) {
            Address sentinel = asked.get(i);
            long share = Math.min(ENOUGH_FOR_ONE, until.left() / (asked.size() - i + 1));
            try {
                SentinelAnswer answer = SentinelAnswer.of(sentinel, toSentinels, master, until.within(share));
                answers++;
                if (answer.epoch() > newest) {
                    newest = answer.epoch();
                    best = answer.primary();
                }
            } catch (LockkeeperException e) {
                trouble = e;
                // A sentinel that did not answer is asked last next time.
                sentinels.remove(sentinel);
                sentinels.add(sentinel);
            }
        }
        if (best != null) {
            return best;
        }
        if (trouble instanceof RedisRefusedException) {
            throw trouble;
        }
        throw new StoreUnavailableException("No sentinel of " + description + " told where the primary is", trouble);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean isStill(Address server, Deadline until) {
        ConnectionPool pool = current;
        if (pool != null && !doubted && asking.tryLock()) {
            try {
                if (!named(until).equals(pool.server())) {
                    doubted = true;
                }
            } catch (LockkeeperException unknown) {
                LOG.log(Level.DEBUG, "The sentinels did not answer", unknown);
            } finally {
                asking.unlock();
            }
        }
        return pool != null && !doubted && pool.server().equals(server);
    }

    @Override
    public ConnectionSettings access() {
        return toPrimary;
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public void close() {
        closed = true;
        ConnectionPool pool = current;
        if (pool != null) {
            pool.close();
        }
    }
}
