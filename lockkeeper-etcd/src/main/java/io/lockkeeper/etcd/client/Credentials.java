package io.lockkeeper.etcd.client;

/**
 * A user and password. The text form does not show the password.
 *
 * @param user the user
 * @param password the password
 */
public record Credentials(String user, String password) {

    @Override
    public String toString() {
        return "user " + user;
    }
}
