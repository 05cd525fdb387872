package io.lockkeeper.redis.jedis;

import io.lockkeeper.redis.client.Address;
import io.lockkeeper.redis.client.BorrowedConnection;
import io.lockkeeper.redis.client.ConnectionLender;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.Redis;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** Lends the connections of a Jedis client of a cluster, and tells what its table of slots says. */
public final class JedisClusterLender implements ConnectionLender.OfCluster {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private final ClusterConnectionProvider client;

    public JedisClusterLender(ClusterConnectionProvider client) {
        this.client = client;
    }

    @Override
    public String name() {
        return JedisLender.NAME;
    }

    @Override
    public BorrowedConnection borrow(Deadline until) {
        return any(until);
    }

    private JedisConnection any(Deadline until) {
        return JedisLender.lend(client::getConnection, until);
    }

    @Override
    public BorrowedConnection borrow(int slot, Deadline until) {
        return JedisLender.lend(() -> client.getConnectionFromSlot(slot), until);
    }

    @Override
    public BorrowedConnection borrow(Address node, Deadline until) {
        return JedisLender.lend(() -> client.getConnection(new HostAndPort(node.host(), node.port())), until);
    }

    @Override
    public @Nullable Address owner(int slot) {
        HostAndPort node = client.getNode(slot);
        return node == null ? null : new Address(node.getHost(), node.getPort());
    }

    @Override
    public List<Address> nodes() {
        List<Address> nodes = new ArrayList<>();
        for (String name : client.getNodes().keySet()) {
            Address node = Address.parse(name);
            if (node != null) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    @Override
    public void refreshSlots() {
        try {
            client.renewSlotCache();
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "The table of slots could not be read again", e);
        }
    }

    @Override
    public Redis.Subscription subscribe(byte[] channel, Redis.Listener listener) {
        return JedisSubscription.open(this::any, channel, listener);
    }
}
