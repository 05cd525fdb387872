/**
 * A small client for Redis and Valkey: it runs scripts and listens on channels. It knows nothing of locks, and is not for
 * use outside this module.
 *
 * <pre>
 *                Redis (the port)  ◄── made by RedisClients
 *                  │
 *      ┌───────────┼───────────────────┐
 *  PrimaryRedis  ClusterRedis     LentRedis, LentClusterRedis
 *      │           │                   │
 *   Primary     ClusterNodes      ConnectionLender (an application's own client)
 *   fixed or    SlotTable              │
 *   Sentinel    Redirections ──────────┤
 *      └─────┬─────┘                   │
 *      ConnectionPool             BorrowedConnection
 *   ConnectionQueue, Convoy            │
 *            │                         │
 *     SocketConnection ──── is a ──► ServerConnection ◄── used by ScriptRunner, ServerCommands
 *   CommandBuffer, ReplyReader, TimedSocket
 * </pre>
 *
 * <p>Invariants:
 * <ol>
 *   <li>A request that may have been executed is never sent again ({@link io.lockkeeper.redis.client.Redis}).
 *   <li>A request ends at its deadline, whatever the server and the network do ({@code TimedSocket}, {@code Convoy}).
 *   <li>A reply is read by the thread whose request it answers; a connection with an unread reply is closed and never used
 *       again ({@code SocketConnection}).
 *   <li>Urgent requests do not wait for other requests: one connection is kept free for them ({@code ConnectionQueue}).
 *   <li>Input is hostile until it is read: lengths, depths and sizes are bounded ({@code ReplyReader}).
 *   <li>No message contains a password ({@code Credentials}, {@code RedisErrors}).
 * </ol>
 *
 * <p>Which class does what:
 * <ul>
 *   <li><b>Deployments.</b> {@code PrimaryRedis} has all keys on one server, which a {@code Primary} names: {@code
 *       FixedPrimary} or {@code SentinelPrimary} with {@code SentinelAnswer}. {@code ClusterRedis} finds the node of a key
 *       with {@code HashSlot}, {@code SlotTable} and {@code ClusterNodes}; {@code Redirections} follows MOVED and ASK.
 *   <li><b>Connections.</b> {@code ConnectionPool} opens, lends and checks them; {@code ConnectionQueue} decides which
 *       {@code ConnectionRequest} is next; {@code Convoy} sends the scripts of several threads in one piece.
 *   <li><b>One connection.</b> {@code SocketConnection} over a {@code TimedSocket}; {@code ConnectionSettings} logs in;
 *       {@code HostLookup} and {@code TimedCall} bound what has no timeout of its own; {@code PlatformThreads} wait in
 *       place of virtual threads.
 *   <li><b>Requests.</b> {@code ScriptRunner} runs scripts over one connection, {@code ServerCommands} the other commands;
 *       {@code ReplyShape} takes replies apart.
 *   <li><b>Channels.</b> {@code ChannelSubscription} keeps one connection subscribed; {@code SubscriptionBackoff} spaces its retries.
 *   <li><b>Times.</b> {@code ClientPolicy} says how often and how long.
 *   <li><b>Failures.</b> {@code ErrorReplyException} is an error of the server, {@code NoReplyException} a missing reply;
 *       {@code RedisErrors} turns both into one sentence: {@link io.lockkeeper.StoreUnavailableException} if a retry may
 *       help, {@link io.lockkeeper.redis.client.RedisRefusedException} if a person has to change something.
 * </ul>
 */
@NullMarked
package io.lockkeeper.redis.client;

import org.jspecify.annotations.NullMarked;
