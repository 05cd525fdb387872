package io.lockkeeper.redis.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Redis deployment: where scripts run and messages come from. The client of this module implements it, or the application's
 * own client does.
 *
 * <p>Invariant: <b>a request that may have been executed is not sent again.</b> A request is repeated only when the server
 * said that it did not execute it (NOSCRIPT, MOVED, ASK, TRYAGAIN, CLUSTERDOWN, LOADING, READONLY after a failover), and only
 * within its timeout. Any other failure is an exception, and the caller treats the request as perhaps executed. If it were
 * repeated after a timeout, the caller would measure from a moment before the request that was answered.
 *
 * <p>Replies are {@code Long}, {@code byte[]}, {@code List<Object>} of these, or null.
 *
 * <p>Failures are {@link io.lockkeeper.StoreUnavailableException} if a later retry may help, and {@link
 * RedisRefusedException} if a person has to change something; both say in one sentence what is wrong and what to do, and never
 * contain a password.
 */
public interface Redis extends AutoCloseable {

    /** Runs a script on the node that has its keys. */
    @Nullable
    Object run(Call call, Duration timeout);

    /** Runs a script and, in the same pipeline on the same connection, waits until replicas have what it wrote. */
    Replicated run(Call call, int replicas, Duration timeout);

    /**
     * Runs several scripts whose keys are all on one {@linkplain #node node}, in one pipeline.
     *
     * @return for each, in the same order, its reply, null, or the {@link RuntimeException} that it failed with
     */
    List<@Nullable Object> runAll(List<Call> calls, Duration timeout);

    /**
     * Runs several scripts as {@link #runAll} does, before requests that wait for a connection, where the client can. For
     * requests that must not be late; if all went this way, none would be first.
     */
    default List<@Nullable Object> runFirst(List<Call> calls, Duration timeout) {
        return runAll(calls, timeout);
    }

    /** The node that has this key; the same text for keys that {@link #runAll} may take together. */
    String node(byte[] key);

    /** Whether several keys may be declared for one script, whatever they are: not in a cluster, where they have one slot. */
    boolean mixesKeys();

    /**
     * Whether PUBLISH counts all subscribers. In a cluster it counts those of one node only.
     */
    boolean countsListeners();

    /** The keys that match a glob pattern, over all nodes; some may be named twice. */
    List<byte[]> scan(byte[] pattern, Duration timeout);

    /**
     * Listens on a channel until it is closed, on a connection and thread of its own, reconnecting by itself. Does not wait
     * for the first connection.
     */
    Subscription subscribe(byte[] channel, Listener listener);

    /** How long this server has certainly kept its memory as the primary that it is now. */
    Duration uptime(Duration timeout);

    /**
     * Asks each primary whether it is one that scripts can be run on; to be called once before use. It is also where a wrong
     * password comes to light.
     *
     * @return what the primaries that answered say of themselves
     */
    List<ServerInfo> check(Duration timeout);

    /** Names the connections that are opened from now on, for CLIENT LIST; may have no effect. */
    default void nameConnections(String keeper) {}

    /** The deployment as a text for messages; never with a password. */
    String describe();

    @Override
    void close();

    /** A script with what it is run on. */
    record Call(Script script, List<byte[]> keys, List<byte[]> arguments) {}

    /** What a script answered, and how many replicas have it. */
    record Replicated(@Nullable Object reply, int replicas) {}

    /** Receives the messages of a channel; called on the thread of the subscription, must not block. */
    interface Listener {
        void message(byte[] payload);

        /** The server acknowledged the subscription, for the first time or again: what was published before may be lost. */
        void subscribed();

        /** The server refuses the subscription until a person changes something. Called once, until it is acknowledged again. */
        default void refused(RuntimeException why) {}
    }

    /** A subscription to a channel. */
    interface Subscription extends AutoCloseable {
        /** Whether the server has acknowledged it and the connection is not known to be broken. */
        boolean isActive();

        @Override
        void close();
    }
}
