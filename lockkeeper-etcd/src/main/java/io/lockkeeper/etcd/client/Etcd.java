package io.lockkeeper.etcd.client;

import io.lockkeeper.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The calls of etcd that the store needs. Each is one request, blocks until its deadline at the latest, and is not affected by
 * interrupts.
 *
 * <p>All calls throw {@link StoreUnavailableException} if there was no answer, so that the request may have been executed, and {@link
 * EtcdErrorException} if it was not.
 *
 * <p>Requests about leases have connections of their own: a renewal must not wait behind requests that hang.
 */
public final class Etcd implements AutoCloseable {

    private final Gateway requests;
    private final Gateway leases;

    /**
     * @param servers at least one
     * @param tls null for clear text
     * @param credentials user and password, asked for at each login; null for none
     */
    public Etcd(List<Address> servers, @Nullable SSLSocketFactory tls, @Nullable Supplier<Credentials> credentials) {
        this.requests = new Gateway(servers, tls, credentials, ClientPolicy.CONNECTIONS);
        this.leases = new Gateway(servers, tls, credentials, ClientPolicy.LEASE_CONNECTIONS);
    }

    /** Runs a transaction. One that only reads costs no entry in etcd's log, and sees everything that was answered before it was sent. */
    public TxnReply run(Txn txn, Deadline until) {
        return run(requests, txn, until);
    }

    /** The same on a connection for leases and mail, so that it does not wait behind other requests. */
    public TxnReply runApart(Txn txn, Deadline until) {
        return run(leases, txn, until);
    }

    private static TxnReply run(Gateway gateway, Txn txn, Deadline until) {
        Json answer = gateway.post("/v3/kv/txn", txn.text(), until);
        return read(gateway, () -> TxnReply.of(answer, txn));
    }

    private static <T> T read(Gateway gateway, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (Json.MalformedException e) {
            throw EtcdErrors.malformed(gateway.server(), e);
        }
    }

    /**
     * A page of the keys with this prefix, in the order of the keys.
     *
     * @param after the last key of the page before; null for the first page
     */
    public List<KeyValue> page(String prefix, @Nullable String after, int most, Deadline until) {
        byte[] from = (after == null ? prefix : after + "\0").getBytes(StandardCharsets.UTF_8);
        byte[] to = prefix.getBytes(StandardCharsets.UTF_8);
        to[to.length - 1]++;
        String body =
                "{\"key\":" + Json.base64(from) + ",\"range_end\":" + Json.base64(to) + ",\"limit\":\"" + most + "\"}";
        Json answer = requests.post("/v3/kv/range", body.getBytes(StandardCharsets.UTF_8), until);
        return read(requests, () -> {
            List<KeyValue> keys = new ArrayList<>();
            for (Json each : answer.at("kvs").elements()) {
                keys.add(KeyValue.of(each));
            }
            return keys;
        });
    }

    /**
     * A lease.
     *
     * @param id its id
     * @param seconds after which etcd ends it if it hears nothing
     */
    public record Lease(long id, long seconds) {}

    /** Opens a lease of at least that many seconds; etcd may give more. */
    public Lease grant(long seconds, Deadline until) {
        Json answer = post("/v3/lease/grant", "{\"TTL\":\"" + seconds + "\"}", until);
        return read(leases, () -> {
            Lease lease = new Lease(answer.at("ID").number(), answer.at("TTL").number());
            if (lease.id == 0 || lease.seconds < seconds) {
                throw new Json.MalformedException("A lease of " + seconds + " s was asked for, and one of "
                        + lease.seconds + " s with the id " + lease.id + " was given");
            }
            return lease;
        });
    }

    private Json post(String path, String body, Deadline until) {
        return leases.post(path, body.getBytes(StandardCharsets.UTF_8), until);
    }

    /** Starts a lease again; returns its seconds, or 0 if there is no such lease. */
    public long keepAlive(long lease, Deadline until) {
        Json answer = post("/v3/lease/keepalive", "{\"ID\":\"" + lease + "\"}", until);
        return read(leases, () -> {
            Json error = answer.at("error");
            if (answer.has("error")) {
                throw EtcdErrors.of(
                        leases.server(),
                        (int) error.at("http_code").number(),
                        error.at("message").text());
            }
            Json result = answer.has("result") ? answer.at("result") : answer;
            if (result.at("ID").number() != lease) {
                throw new Json.MalformedException("A keep-alive was answered for another lease");
            }
            return Math.max(0, result.at("TTL").number());
        });
    }

    /**
     * What etcd knows of a lease.
     *
     * @param seconds that are left, rounded down; −1 if there is no such lease
     * @param keys that are attached to it
     */
    public record LeaseState(long seconds, List<String> keys) {}

    /** What etcd knows of a lease, with its keys if they are wanted. */
    public LeaseState look(long lease, boolean keys, Deadline until) {
        Json answer = post("/v3/lease/timetolive", "{\"ID\":\"" + lease + "\",\"keys\":" + keys + "}", until);
        return read(leases, () -> {
            List<String> names = new ArrayList<>();
            for (Json key : answer.at("keys").elements()) {
                names.add(new String(key.bytes(), StandardCharsets.UTF_8));
            }
            if (answer.at("ID").number() != lease) {
                throw new Json.MalformedException("A question about a lease was answered for another one");
            }
            return new LeaseState(answer.at("TTL").number(), names);
        });
    }

    /** Ends a lease with everything that is attached to it; nothing happens if it is not there. */
    public void revoke(long lease, Deadline until) {
        try {
            post("/v3/lease/revoke", "{\"ID\":\"" + lease + "\"}", until);
        } catch (EtcdErrorException e) {
            if (e.kind() != EtcdErrorException.Kind.LEASE_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Follows one key, until it is closed. */
    public MailWatch watch(String key, String threadName, MailWatch.Listener listener) {
        return new MailWatch(
                leases,
                key,
                threadName,
                () -> {
                    requests.suspect();
                    leases.suspect();
                },
                listener);
    }

    /** The server that requests about leases go to now. */
    Address leaseServer() {
        return leases.server();
    }

    /** How many connections are open, but for that of a watch. */
    public int connections() {
        return requests.connections() + leases.connections();
    }

    @Override
    public void close() {
        requests.close();
        leases.close();
    }
}
