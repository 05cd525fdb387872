/**
 * Real ZooKeeper servers for tests, each in a JVM of its own. Their classes are those of the {@code zookeeper} artifact on the class
 * path of the tests, with {@code metrics-core} and {@code snappy-java} beside it.
 */
@NullMarked
package io.lockkeeper.testkit.zookeeper;

import org.jspecify.annotations.NullMarked;
