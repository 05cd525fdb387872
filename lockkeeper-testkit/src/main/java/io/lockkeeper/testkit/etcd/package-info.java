/**
 * Real etcd servers for tests, each in a process of its own. Their program is the one that {@code ETCD_BIN} names, or {@code etcd} on the
 * PATH, or that of Debian's package, which is fetched with apt and kept in the folder of servers that all test runs of a user share.
 */
@NullMarked
package io.lockkeeper.testkit.etcd;

import org.jspecify.annotations.NullMarked;
