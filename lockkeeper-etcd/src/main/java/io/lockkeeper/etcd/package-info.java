/**
 * Locks in etcd, by its JSON gateway.
 *
 * <p>{@link io.lockkeeper.etcd.EtcdBackend} is the store. A claim is a key below that of its resource ({@code Layout}), attached to a
 * lease of its keeper; {@code Queue} says which of them hold. {@code SessionLeases} keeps the leases of a keeper alive, {@code
 * TimedLeases} has those that are never renewed, {@code Mail} tells other keepers.
 */
@NullMarked
package io.lockkeeper.etcd;

import org.jspecify.annotations.NullMarked;
