package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Clients of our own, one for each session. */
final class Clients implements SessionSource {

    private static final String ENCRYPTING = "org.apache.zookeeper.ClientCnxnSocketNetty";

    private final String servers;
    private final @Nullable Duration timeout;
    private final @Nullable String credentials;
    private final List<ACL> acl;

    /** @param credentials user and password with a colon between them; null for none */
    Clients(String servers, @Nullable Duration timeout, @Nullable String credentials, List<ACL> acl) {
        this.servers = servers;
        this.timeout = timeout;
        this.credentials = credentials;
        this.acl = acl;
    }

    /**
     * The client's settings, as system properties say. The client's own class for them also names a class of Netty, which only
     * encrypted connections need, and so would not load without it.
     *
     * <p>A connection that is to be encrypted is made by Netty, whether that is set or not: the client's other way to connect would send
     * everything in clear text.
     */
    static final class PlainConfig extends ZKClientConfig {
        @Override
        protected void handleBackwardCompatibility() {
            for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith("zookeeper.")) {
                    setProperty(name, System.getProperty(name));
                }
            }
            if (getBoolean(SECURE_CLIENT)) {
                setProperty(ZOOKEEPER_CLIENT_CNXN_SOCKET, ENCRYPTING);
            }
        }
    }

    @Override
    public String describe() {
        return servers;
    }

    private Duration wanted(Keeper keeper) {
        return timeout == null ? keeper.lease() : timeout;
    }

    @Override
    public boolean isTimeoutKept(Keeper keeper, Duration given) {
        return given.toMillis() == wanted(keeper).toMillis();
    }

    @Override
    public LiveSession open(Keeper keeper, Layout layout, Watcher events, Deadline until) {
        while (true) {
            LiveSession opened = tryOpen(keeper, layout, events, until);
            if (opened != null) {
                return opened;
            }
        }
    }

    /**
     * A new session; null if it took so long that not much of it is surely left: when it was opened is known only as a time after
     * which it was.
     */
    private @Nullable LiveSession tryOpen(Keeper keeper, Layout layout, Watcher events, Deadline until) {
        Clocks clocks = keeper.clocks();
        CountDownLatch connected = new CountDownLatch(1);
        Moment openedAt = clocks.now();
        ZooKeeper client =
                connect((int) Math.min(Integer.MAX_VALUE, wanted(keeper).toMillis()), event -> {
                    if (event.getState() == KeeperState.SyncConnected
                            && event.getType() == Watcher.Event.EventType.None) {
                        connected.countDown();
                    }
                    if (isAboutSession(event)) {
                        events.process(event);
                    }
                });
        boolean used = false;
        try {
            if (credentials != null) {
                client.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
            }
            if (!connected.await(Math.max(0, until.left()), TimeUnit.NANOSECONDS)) {
                throw new StoreUnavailableException("No server of ZooKeeper at " + servers
                        + " could be reached that has a majority; one that only reads grants no lock");
            }
            Duration given = Duration.ofMillis(client.getSessionTimeout());
            if (clocks.now().since(openedAt) > given.toNanos() / 4) {
                return null;
            }
            Wire wire = new Wire(client, acl);
            String contact = layout.keepers() + "/" + keeper.id() + "-" + Long.toHexString(client.getSessionId());
            Roots.prepare(wire, layout, until);
            long wall = clocks.now().wall() / 1_000_000;
            Wire.Node made = Wire.answer(wire.create(contact, "", CreateMode.EPHEMERAL), until);
            LiveSession opened =
                    new LiveSession(wire, Session.relayed(given, openedAt), layout, clocks, contact, clocks.now());
            opened.clockAhead = made.stat().getCtime() - wall;
            used = true;
            return opened;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while opening a session with ZooKeeper", e);
        } finally {
            if (!used) {
                close(client);
            }
        }
    }

    private static boolean isAboutSession(WatchedEvent event) {
        return event.getType() == Watcher.Event.EventType.None;
    }

    private ZooKeeper connect(int millis, Watcher watcher) {
        try {
            return new ZooKeeper(servers, millis, watcher, false, new PlainConfig());
        } catch (IOException | IllegalArgumentException e) {
            throw new StoreUnavailableException("There is no way to ZooKeeper at " + servers, e);
        } catch (NoClassDefFoundError missing) {
            throw new IllegalStateException(
                    "An encrypted connection to ZooKeeper needs Netty; add io.netty:netty-handler and"
                            + " io.netty:netty-transport-classes-epoll, both of one version 4.1",
                    missing);
        }
    }

    @Override
    public void close(LiveSession session) {
        close(session.wire.client());
    }

    /** The end of a session is a request that may not be answered, so it is left to a thread after a while. */
    private static void close(ZooKeeper client) {
        Thread closing = new Thread(
                () -> {
                    try {
                        client.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "lockkeeper-zookeeper-closing");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(ZookeeperPolicy.CLOSING.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
