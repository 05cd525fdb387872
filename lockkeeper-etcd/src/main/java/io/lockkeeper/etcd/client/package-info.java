/**
 * A small client of etcd's JSON gateway. It knows nothing of locks.
 *
 * <p>{@code HttpConnection} sends one request and reads its reply; {@code ConnectionPool} lends connections to one server; {@code
 * Gateway} chooses among servers and logs in; {@link io.lockkeeper.etcd.client.Etcd} has etcd's calls with their types. {@code
 * MailWatch} follows one key.
 *
 * <p><b>Invariant.</b> No request is sent twice unless etcd said that it did not execute it. The callers count leases from when a
 * request was sent, and have rules of their own for requests that were not answered; a client that repeats them in secret breaks both.
 */
@NullMarked
package io.lockkeeper.etcd.client;

import org.jspecify.annotations.NullMarked;
