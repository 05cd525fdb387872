package io.lockkeeper.redis.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * What the Jedis of an application, and its client, must have to be used for locks.
 *
 * <p>All that the adapters use of Jedis is looked for by name before it is used. Were it not, a version that lacks something
 * would fail with a {@code NoClassDefFoundError} or {@code NoSuchMethodError} when a lock is first contended.
 */
public final class JedisRequirements {

    private static final String CONNECTION = "redis.clients.jedis.Connection";

    /** Class and method, with the simple names of the method's parameters. */
    private static final String[][] NEEDED = {
        {CONNECTION, "sendCommand", "ProtocolCommand", "byte[][]"},
        {CONNECTION, "getOne"},
        {CONNECTION, "setBroken"},
        {CONNECTION, "getSoTimeout"},
        {CONNECTION, "setSoTimeout", "int"},
        {CONNECTION, "disconnect"},
        {CONNECTION, "close"},
        {"redis.clients.jedis.Jedis", "getConnection"},
        {"redis.clients.jedis.Jedis", "close"},
        {"redis.clients.jedis.util.Pool", "getResource"},
        {"redis.clients.jedis.JedisPubSubBase", "proceed", "Connection", "Object[]"},
        {"redis.clients.jedis.JedisPubSubBase", "ping"},
        {"redis.clients.jedis.BinaryJedisPubSub"},
        {"redis.clients.jedis.UnifiedJedis"},
        {"redis.clients.jedis.providers.ConnectionProvider", "getConnection"},
        {"redis.clients.jedis.providers.PooledConnectionProvider", "getPool"},
        {"redis.clients.jedis.providers.ClusterConnectionProvider", "getConnectionFromSlot", "int"},
        {"redis.clients.jedis.providers.ClusterConnectionProvider", "getConnection", "HostAndPort"},
        {"redis.clients.jedis.providers.ClusterConnectionProvider", "getNode", "int"},
        {"redis.clients.jedis.providers.ClusterConnectionProvider", "getNodes"},
        {"redis.clients.jedis.providers.ClusterConnectionProvider", "renewSlotCache"},
    };

    /** Providers of connections to servers that know nothing of each other, or of one connection only. */
    private static final Set<String> UNFIT = Set.of(
            "redis.clients.jedis.providers.ShardedConnectionProvider",
            "redis.clients.jedis.providers.MultiClusterPooledConnectionProvider",
            "redis.clients.jedis.mcf.MultiDbConnectionProvider",
            "redis.clients.jedis.providers.ManagedConnectionProvider");

    private JedisRequirements() {}

    /** @throws IllegalArgumentException if the version of Jedis does not fit */
    public static void check() {
        ClassLoader loader = JedisRequirements.class.getClassLoader();
        for (String[] needed : NEEDED) {
            if (!isThere(loader, needed)) {
                String missing = needed[0] + (needed.length > 1 ? "." + needed[1] : "");
                throw unfit("has no " + missing, null);
            }
        }
    }

    private static boolean isThere(@Nullable ClassLoader loader, String[] needed) {
        try {
            Class<?> type = Class.forName(needed[0], false, loader);
            return needed.length == 1
                    || Arrays.stream(type.getMethods()).anyMatch(method -> {
                        Class<?>[] parameters = method.getParameterTypes();
                        String[] names = new String[parameters.length];
                        Arrays.setAll(names, i -> parameters[i].getSimpleName());
                        return method.getName().equals(needed[1])
                                && Arrays.equals(names, Arrays.copyOfRange(needed, 2, needed.length));
                    });
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    private static IllegalArgumentException unfit(String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "Jedis" + version() + " on the class path " + why
                        + " and cannot be used for locks; use Jedis 5.2 or newer, or connect by a URL such as"
                        + " redis://localhost:6379, which needs no Jedis",
                cause);
    }

    /** The version with a space before it; empty if it is unknown. */
    private static String version() {
        for (String place :
                new String[] {"redis/clients/jedis/pom.properties", "META-INF/maven/redis.clients/jedis/pom.properties"
                }) {
            try (InputStream in = open(place)) {
                if (in != null) {
                    Properties properties = new Properties();
                    properties.load(in);
                    String version = properties.getProperty("version");
                    if (version != null) {
                        return " " + version;
                    }
                }
            } catch (IOException | RuntimeException unreadable) {
                // It is for the message only.
            }
        }
        return "";
    }

    private static @Nullable InputStream open(String resource) {
        ClassLoader loader = JedisRequirements.class.getClassLoader();
        return loader == null ? ClassLoader.getSystemResourceAsStream(resource) : loader.getResourceAsStream(resource);
    }

    /**
     * What a client has its connections from. The client itself gives none out, and over a pipeline, which it does give out,
     * a connection that owes a reply cannot be kept from going back to the pool.
     *
     * @throws IllegalArgumentException if it is not fit for locks
     */
    public static ConnectionProvider provider(UnifiedJedis client) {
        Object found;
        try {
            Field field = UnifiedJedis.class.getDeclaredField("provider");
            field.setAccessible(true);
            found = field.get(client);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw unfit("does not let its connections be used", e);
        }
        if (!(found instanceof ConnectionProvider provider)) {
            throw new IllegalArgumentException(
                    "The given Jedis client is made of one connection only; give one that has a"
                            + " pool, such as JedisPooled or RedisClient");
        }
        for (Class<?> type = provider.getClass(); type != null; type = type.getSuperclass()) {
            if (UNFIT.contains(type.getName())) {
                throw new IllegalArgumentException("The given Jedis client uses a " + type.getSimpleName()
                        + ", which may ask a server that knows nothing of a lock taken before; give a client of one server,"
                        + " one Sentinel group or one cluster");
            }
        }
        return provider;
    }

    /** @throws IllegalArgumentException if the pool has no connection beside the one for the subscription */
    public static void checkSize(Pool<?> pool) {
        int most = pool.getMaxTotal();
        if (most == 0 || most == 1) {
            throw new IllegalArgumentException(
                    "The pool of the given Jedis client has at most " + most
                            + " connections, but a keeper needs one for its subscription and others for requests; set maxTotal to 4 or more");
        }
    }
}
