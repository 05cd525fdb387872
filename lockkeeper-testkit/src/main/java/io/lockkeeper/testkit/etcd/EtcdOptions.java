package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.TlsMaterial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a server is to be started. Without anything said: alone, in clear text, without users. */
public final class EtcdOptions {

    private final List<String> arguments = new ArrayList<>();
    private @Nullable TlsMaterial tls;
    private boolean durable;

    EtcdOptions() {}

    EtcdOptions(EtcdOptions other) {
        arguments.addAll(other.arguments);
        tls = other.tls;
        durable = other.durable;
    }

    /** An argument of the program, such as {@code --enable-grpc-gateway=false}. */
    public EtcdOptions argument(String argument) {
        arguments.add(argument);
        return this;
    }

    /** Clients speak TLS; they need no certificate. */
    public EtcdOptions tls(TlsMaterial material) {
        tls = material;
        return argument("--cert-file=" + material.certificate()).argument("--key-file=" + material.key());
    }

    /** Each write waits for the disk, as in production. */
    public EtcdOptions durable() {
        durable = true;
        return this;
    }

    /** So many bytes of data; what would need more is refused (NOSPACE). */
    public EtcdOptions quota(long bytes) {
        return argument("--quota-backend-bytes=" + bytes);
    }

    /** Starts it, and returns when it answers. */
    public EtcdServer start() {
        return EtcdServer.start(this);
    }

    boolean isDurable() {
        return durable;
    }

    boolean isTls() {
        return tls != null;
    }

    List<String> arguments() {
        return List.copyOf(arguments);
    }
}
