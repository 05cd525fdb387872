package io.lockkeeper.etcd;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.etcd.client.Credentials;
import java.util.function.Supplier;

/**
 * A user and password of etcd. Its text form does not show the password.
 *
 * @see EtcdBackendBuilder#credentials(Supplier)
 */
public final class EtcdCredentials {

    private final Credentials credentials;

    private EtcdCredentials(String user, String password) {
        this.credentials = new Credentials(given(user, "user"), given(password, "password"));
    }

    /** A user of etcd. */
    public static EtcdCredentials of(String user, String password) {
        return new EtcdCredentials(user, password);
    }

    Credentials forClient() {
        return credentials;
    }

    @Override
    public String toString() {
        return "EtcdCredentials[" + credentials + "]";
    }
}
