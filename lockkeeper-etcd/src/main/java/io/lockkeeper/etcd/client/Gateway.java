package io.lockkeeper.etcd.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.EtcdErrorException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The JSON gateways of the servers of one etcd. All requests go to one of them, and to the next one after it failed.
 *
 * <p><b>Invariant.</b> A request is sent once. It is sent to another server only if no connection to the first could be opened, and
 * again only if etcd said that it needs a login, which it says before it executes anything. One that was sent and not answered fails:
 * it may be executed at any later time, and only the caller knows what that would mean.
 */
final class Gateway {

    private final List<ConnectionPool> pools = new ArrayList<>();
    private final @Nullable SSLSocketFactory tls;
    private final @Nullable Supplier<Credentials> credentials;
    private final AtomicInteger current = new AtomicInteger();
    private final ReentrantLock login = new ReentrantLock();
    private volatile @Nullable String token;

    Gateway(
            List<Address> servers,
            @Nullable SSLSocketFactory tls,
            @Nullable Supplier<Credentials> credentials,
            int connections) {
        for (Address server : servers) {
            pools.add(new ConnectionPool(server, tls, connections));
        }
        this.tls = tls;
        this.credentials = credentials;
    }

    /** The server that requests go to now. */
    Address server() {
        return pool(current.get()).server();
    }

    private ConnectionPool pool(int number) {
        return pools.get(Math.floorMod(number, pools.size()));
    }

    /** The server did not answer: others are asked from now on. */
    void failed(Address server) {
        int now = current.get();
        if (pool(now).server().equals(server)) {
            current.compareAndSet(now, now + 1);
        }
    }

    @Nullable
    SSLSocketFactory tls() {
        return tls;
    }

    /**
     * Sends a request and returns its answer.
     *
     * @throws StoreUnavailableException if there was no answer; it may have been executed
     * @throws EtcdErrorException if etcd refused it; it was not executed
     */
    Json post(String path, byte[] body, Deadline until) {
        String used = token(until);
        try {
            return postOnce(path, body, used, until);
        } catch (EtcdErrorException refused) {
            if (refused.kind() != Kind.LOGIN_NEEDED || credentials == null) {
                throw refused;
            }
            return postOnce(path, body, newToken(used, until), until);
        }
    }

    /** What requests carry after a login; null if there is no user. */
    @Nullable
    String token(Deadline until) {
        String known = token;
        return credentials == null || known != null ? known : newToken(null, until);
    }

    /** Logs in, unless another thread did since that token was used. */
    @Nullable
    String newToken(@Nullable String used, Deadline until) {
        Supplier<Credentials> source = credentials;
        if (source == null) {
            return null;
        }
        until.lock(login);
        try {
            String known = token;
            if (known != null && !known.equals(used)) {
                return known;
            }
            Credentials who = source.get();
            String body = "{\"name\":" + Json.quoted(who.user()) + ",\"password\":" + Json.quoted(who.password()) + "}";
            String fresh = postOnce("/v3/auth/authenticate", body.getBytes(StandardCharsets.UTF_8), null, until)
                    .at("token")
                    .text();
            if (fresh.isEmpty() || !fresh.matches("[!-~]+")) {
                throw new StoreUnavailableException("etcd at " + server() + " gave no token for the " + who);
            }
            token = fresh;
            return fresh;
        } finally {
            login.unlock();
        }
    }

    private Json postOnce(String path, byte[] body, @Nullable String token, Deadline until) {
        ConnectionPool pool = null;
        HttpConnection connection = null;
        StoreUnavailableException last = null;
        for (int i = 0; i < pools.size() && connection == null; i++) {
            pool = pool(current.get());
            try {
                // A server that swallows packets leaves their share of the time to the others.
                connection = pool.take(until.within(until.left() / (pools.size() - i)));
            } catch (IOException e) {
                last = EtcdErrors.opening(pool.server(), tls != null, e);
                failed(pool.server());
            }
        }
        if (pool == null || connection == null) {
            throw last == null ? new StoreUnavailableException("No server of etcd is named") : last;
        }
        Address server = pool.server();
        try {
            HttpConnection.Reply reply = connection.post(path, body, token, until);
            if (reply.status != 200) {
                LockkeeperException error = EtcdErrors.of(server, reply.status, reply.body);
                if (error instanceof StoreUnavailableException) {
                    failed(server);
                }
                throw error;
            }
            return Json.read(reply.body);
        } catch (IOException e) {
            failed(server);
            throw EtcdErrors.noReply(server, e);
        } catch (Json.MalformedException e) {
            connection.close();
            throw EtcdErrors.malformed(server, e);
        } finally {
            pool.give(connection);
        }
    }

    /** A connection broke while nobody used it, so the idle ones may be broken too: they are not used again. */
    void suspect() {
        pools.forEach(ConnectionPool::forget);
    }

    int connections() {
        return pools.stream().mapToInt(ConnectionPool::size).sum();
    }

    void close() {
        pools.forEach(ConnectionPool::close);
    }
}
