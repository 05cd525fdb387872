package io.lockkeeper.redis;

import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;

/**
 * How a server is entered.
 *
 * @param user null for the default user
 * @param password null if none is asked for
 * @param tls null for a connection in the clear
 */
record Access(
        @Nullable String user,
        @Nullable String password,
        int database,
        @Nullable SSLSocketFactory tls) {

    /** For the handshake of a connection. Protocol 2: there nothing but replies comes on a connection that asks. */
    JedisClientConfig handshake() {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .autoNegotiateProtocol(false)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .database(database);
        if (user != null) {
            config.user(user);
        }
        if (password != null) {
            config.password(password);
        } else if (user != null) {
            config.password("");
        }
        return config.build();
    }

    @Override
    public String toString() {
        return "Access[" + (user == null ? "default user" : user) + ", database " + database
                + (tls == null ? "]" : ", TLS]");
    }
}
