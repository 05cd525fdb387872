package io.lockkeeper.redis.jedis;

import io.lockkeeper.redis.client.BorrowedConnection;
import io.lockkeeper.redis.client.Command;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.ErrorReplyException;
import io.lockkeeper.redis.client.NoReplyException;
import java.net.SocketTimeoutException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection that is borrowed from an application's Jedis client.
 *
 * <p>Invariant: a connection goes back to the pool as sound only if the reply to each request sent over it was taken whole;
 * else it goes back as broken, and the pool closes it. The requests are counted before they are sent, so that an
 * {@code Error} at any point leaves the count too high and never too low. Were such a connection given back, its next user
 * would read the reply of this request: a lock of somebody else taken for its own.
 */
final class JedisConnection implements BorrowedConnection {

    private final Connection connection;
    private final AutoCloseable lender;
    private final Deadline until;
    /** The timeout that the application set; 0 is none. */
    private final int usual;

    private int owed;

    private JedisConnection(Connection connection, AutoCloseable lender, Deadline until) {
        this.connection = connection;
        this.lender = lender;
        this.until = until;
        this.usual = connection.getSoTimeout();
    }

    /** @param until when waiting for replies ends, unless the connection's own timeout is shorter */
    static JedisConnection over(Connection connection, Deadline until) {
        return new JedisConnection(connection, connection, until);
    }

    static JedisConnection over(Jedis jedis, Deadline until) {
        return new JedisConnection(jedis.getConnection(), jedis, until);
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void send(Command command) {
        List<byte[]> parts = command.parts();
        byte[] name = parts.get(0);
        owed++;
        try {
            connection.sendCommand(() -> name, parts.subList(1, parts.size()).toArray(byte[][]::new));
        } catch (JedisException e) {
            throw translated(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        int left = until.millis();
        if (left == 0) {
            throw new NoReplyException(new SocketTimeoutException("The time for the request is up"));
        }
        Object reply;
        try {
            connection.setSoTimeout(usual == 0 ? left : Math.min(usual, left));
            reply = connection.getOne();
        } catch (JedisDataException refused) {
            owed--;
            throw translated(refused);
        } catch (JedisException lost) {
            throw translated(lost);
        }
        owed--;
        return reply;
    }

    /** An exception of Jedis as one of this module; others as they are. */
    static RuntimeException translated(RuntimeException e) {
        if (e instanceof JedisDataException refused) {
            return ErrorReplyException.of(String.valueOf(refused.getMessage()), refused);
        }
        return e instanceof JedisException lost ? new NoReplyException(String.valueOf(lost.getMessage()), lost) : e;
    }

    /** Makes the connection go back as broken, so that nobody else uses it. */
    void spoil() {
        owed++;
    }

    /** Gives the connection back. */
    @Override
    public void close() {
        if (owed != 0) {
            connection.setBroken();
        }
        try {
            if (!connection.isBroken()) {
                connection.setSoTimeout(usual);
            }
        } catch (JedisException e) {
            connection.setBroken();
        }
        try {
            lender.close();
        } catch (Exception e) {
            // The caller has its answer or its exception, and a connection that cannot be given back is closed.
        }
    }
}
