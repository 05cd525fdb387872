package io.lockkeeper.testkit.redis;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.TlsMaterial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a server is to be started. Without anything said: no password, no limit, nothing on disk. */
public final class RedisOptions {

    private final List<String> lines = new ArrayList<>(List.of("bind 127.0.0.1"));

    private boolean sentinel;
    private boolean ancient;
    private @Nullable String password;
    private @Nullable TlsMaterial tls;
    private int distance;

    private RedisOptions() {}

    static RedisOptions server() {
        return new RedisOptions()
                .set("save", "")
                .set("appendonly", "no")
                // A replica is served at once; by default the primary waits five seconds for more of them.
                .set("repl-diskless-sync", "yes")
                .set("repl-diskless-sync-delay", "0");
    }

    static RedisOptions sentinel() {
        var options = new RedisOptions();
        options.sentinel = true;
        return options;
    }

    /** The password of the default user, which everybody is who gives no other name. */
    public RedisOptions password(String password) {
        this.password = password;
        return set("requirepass", password).set("masterauth", password);
    }

    /** A user with the rules of {@code ACL SETUSER}, such as {@code on >secret ~orders:* +get}. */
    public RedisOptions user(String name, String... rules) {
        return line("user " + name + " " + String.join(" ", rules));
    }

    /** A second port where TLS is spoken; clients need no certificate. */
    public RedisOptions tls(TlsMaterial material) {
        tls = material;
        return set("tls-cert-file", material.certificate().toString())
                .set("tls-key-file", material.key().toString())
                .set("tls-ca-cert-file", material.authority().toString())
                .set("tls-auth-clients", "no");
    }

    /** So much memory, as in {@code 2mb}, and what happens when it is full, as in {@code noeviction}. */
    public RedisOptions maxMemory(String amount, String policy) {
        return set("maxmemory", amount).set("maxmemory-policy", policy);
    }

    /** It follows another server from the start. */
    public RedisOptions replicaOf(int port) {
        return line("replicaof 127.0.0.1 " + port);
    }

    /** As a replica it tells that it is to be found on this port. */
    public RedisOptions announce(int port) {
        return set("replica-announce-ip", "127.0.0.1").set("replica-announce-port", Integer.toString(port));
    }

    /** It accepts writes only while this many replicas follow it. */
    public RedisOptions minReplicas(int replicas) {
        return set("min-replicas-to-write", Integer.toString(replicas));
    }

    /** A server of 2014, version 2.8, which knows little of what is usual today. */
    public RedisOptions ancient() {
        ancient = true;
        return this;
    }

    /** Any other setting of the configuration file. */
    public RedisOptions set(String directive, String value) {
        return line(directive + " \"" + value + "\"");
    }

    RedisOptions line(String line) {
        lines.add(line);
        return this;
    }

    /** A second port that the server takes by itself, so much higher than the first. */
    RedisOptions alsoUsesPortAt(int distance) {
        this.distance = distance;
        return this;
    }

    /** Starts the server and returns when it answers. */
    public RedisServer start() {
        return RedisServer.start(this);
    }

    Path program() {
        return ancient ? RedisBinary.ancient() : RedisBinary.path();
    }

    boolean isSentinel() {
        return sentinel;
    }

    @Nullable
    String password() {
        return password;
    }

    int choosePort() {
        return Ports.freeWith(distance);
    }

    /** A port for TLS, 0 if there is to be none. */
    int chooseTlsPort() {
        return tls == null ? 0 : Ports.free();
    }

    List<String> lines() {
        return lines;
    }
}
