/**
 * Locks in ZooKeeper, with the plain client.
 *
 * <p>{@link io.lockkeeper.zookeeper.ZookeeperBackend} is the store. A claim is an ephemeral sequential node in the folder of its
 * resource ({@code Layout}); {@code Queue} says which of them hold. {@code Sessions} keeps the one session of a keeper alive and
 * replaces one that is over.
 */
@NullMarked
package io.lockkeeper.zookeeper;

import org.jspecify.annotations.NullMarked;
