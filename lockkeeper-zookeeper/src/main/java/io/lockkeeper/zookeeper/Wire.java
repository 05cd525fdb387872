package io.lockkeeper.zookeeper;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Requests to ZooKeeper as futures. None blocks: requests of a session are executed in the order in which they were made, so several
 * can be under way, and a read behind a write sees it.
 *
 * <p>A request that is not answered in time stays under way. It is executed before every later one of the session, or fails when the
 * connection breaks; after that, what became of it is known by a read behind a {@link #sync}.
 *
 * <p><b>Invariant.</b> What a read answers was true on the connection on which it was asked. The client keeps requests that are made
 * while it has no connection, and sends them on the next one: such a read would have no {@code sync} before it there, so its
 * answer counts as lost. The client tells of a connection before it delivers what was answered on it, on one thread; so a read that is
 * answered on another connection than it was made on always finds another {@linkplain #connection number}.
 */
final class Wire {

    /** A node as a request found it. */
    record Node(String path, String text, Stat stat) {}

    private final ZooKeeper client;
    private final List<ACL> acl;
    private final AtomicLong connections = new AtomicLong();

    Wire(ZooKeeper client, List<ACL> acl) {
        this.client = client;
        this.acl = acl;
    }

    ZooKeeper client() {
        return client;
    }

    /** The client has told that it is connected, or connected again. */
    void connected() {
        connections.incrementAndGet();
    }

    /** How many connections the client has told of. */
    long connection() {
        return connections.get();
    }

    CompletableFuture<Node> create(String path, String text, CreateMode mode) {
        CompletableFuture<Node> reply = new CompletableFuture<>();
        client.create(
                path,
                bytes(text),
                acl,
                mode,
                (code, asked, context, name, stat) -> settle(reply, code, asked, new Node(name, text, stat)),
                null);
        return reply;
    }

    CompletableFuture<Boolean> delete(String path, int version) {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        client.delete(path, version, (code, asked, context) -> settle(reply, code, asked, true), null);
        return reply;
    }

    CompletableFuture<Stat> write(String path, String text, int version) {
        CompletableFuture<Stat> reply = new CompletableFuture<>();
        client.setData(
                path, bytes(text), version, (code, asked, context, stat) -> settle(reply, code, asked, stat), null);
        return reply;
    }

    CompletableFuture<Node> read(String path, @Nullable Watcher watcher) {
        CompletableFuture<Node> reply = new CompletableFuture<>();
        long on = connection();
        client.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        settle(reply, codeOfRead(code, on), asked, new Node(path, text(data), stat)),
                null);
        return reply;
    }

    CompletableFuture<List<String>> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> reply = new CompletableFuture<>();
        long on = connection();
        client.getChildren(
                path,
                watcher,
                (code, asked, context, names) -> settle(reply, codeOfRead(code, on), asked, names),
                null);
        return reply;
    }

    CompletableFuture<List<String>> ephemerals(String prefix) {
        CompletableFuture<List<String>> reply = new CompletableFuture<>();
        long on = connection();
        client.getEphemerals(
                prefix, (code, context, paths) -> settle(reply, codeOfRead(code, on), prefix, paths), null);
        return reply;
    }

    CompletableFuture<Boolean> multi(Op... operations) {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        client.multi(List.of(operations), (code, asked, context, results) -> settle(reply, code, asked, true), null);
        return reply;
    }

    /** The server catches up with its leader before it executes what comes behind this. */
    CompletableFuture<Boolean> sync(String path) {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        client.sync(path, (code, asked, context) -> settle(reply, code, asked, true), null);
        return reply;
    }

    /** As an operation of a {@link #multi}. */
    Op creation(String path, String text, CreateMode mode) {
        return Op.create(path, bytes(text), acl, mode);
    }

    /** As an operation of a {@link #multi}. */
    static Op writing(String path, String text, int version) {
        return Op.setData(path, bytes(text), version);
    }

    private int codeOfRead(int code, long on) {
        return connection() == on ? code : Code.CONNECTIONLOSS.intValue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    private static <T> void settle(CompletableFuture<T> reply, int code, @Nullable String path, T value) {
        if (code == Code.OK.intValue()) {
            reply.complete(value);
        } else {
            reply.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    /** The answer, or null if the node is not there. */
    static <T> @Nullable T ifThere(CompletableFuture<T> reply, Deadline until) {
        try {
            return await(reply, until);
        } catch (KeeperException.NoNodeException none) {
            return null;
        } catch (KeeperException failure) {
            throw failed(failure);
        }
    }

    /** The answer; a refusal of the server is a failure. */
    static <T> T answer(CompletableFuture<T> reply, Deadline until) {
        try {
            return await(reply, until);
        } catch (KeeperException failure) {
            throw failed(failure);
        }
    }

    /**
     * Waits for the answer, deaf to interrupts, which are kept.
     *
     * @throws KeeperException if the server refused the request
     * @throws StoreUnavailableException if it is not known whether the request was or will be executed
     */
    static <T> T await(CompletableFuture<T> reply, Deadline until) throws KeeperException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reply.get(Math.max(0, until.left()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new StoreUnavailableException("ZooKeeper did not answer in time");
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof KeeperException failure)) {
                        throw new LockkeeperException("A request to ZooKeeper failed", e.getCause());
                    }
                    switch (failure.code()) {
                        case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                            throw failed(failure);
                        default -> throw failure;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static RuntimeException failed(KeeperException failure) {
        return switch (failure.code()) {
            case CONNECTIONLOSS, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                new StoreUnavailableException("The connection to ZooKeeper was lost", failure);
            case SESSIONEXPIRED -> new StoreUnavailableException("The session with ZooKeeper has ended", failure);
            case AUTHFAILED ->
                new ZookeeperRefusedException(
                        "ZooKeeper's client could not authenticate; check the user and password, or for SASL the"
                                + " section 'Client' of the JAAS configuration and the mechanism that both sides allow",
                        failure);
            case NOAUTH, INVALIDACL ->
                new ZookeeperRefusedException(
                        "ZooKeeper does not allow this user to use " + failure.getPath()
                                + "; give the URL or the builder a user and password that may",
                        failure);
            default -> new StoreUnavailableException("ZooKeeper refused a request: " + failure.getMessage(), failure);
        };
    }
}
