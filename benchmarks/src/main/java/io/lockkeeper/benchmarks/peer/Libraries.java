package io.lockkeeper.benchmarks.peer;

import java.util.List;

/** All libraries. A new one is a file of its own and a line here. */
public final class Libraries {

    public static final List<Library> ALL = List.of(
            LockkeeperPeer.REDIS,
            LockkeeperPeer.REDIS_WITHOUT_HAND_OFF,
            LockkeeperPeer.REDIS_STICKY,
            RedissonPeer.LOCK,
            RedissonPeer.SPIN,
            RedissonPeer.FENCED,
            RedissonPeer.EXPIRABLE,
            SpringPeer.SPIN,
            SpringPeer.PUB_SUB,
            JedisPeer.LIBRARY,
            LettucePeer.LIBRARY,
            LockkeeperPeer.SQL,
            LockkeeperPeer.SQL_STICKY,
            ShedLockPeer.LIBRARY,
            SpringJdbcPeer.LIBRARY,
            RawSqlPeer.LIBRARY,
            LockkeeperPeer.ZOOKEEPER,
            LockkeeperPeer.ZOOKEEPER_STICKY,
            CuratorPeer.LIBRARY,
            RawZookeeperPeer.LIBRARY,
            LockkeeperPeer.ETCD,
            JetcdPeer.LIBRARY,
            RawEtcdPeer.LIBRARY,
            LockkeeperPeer.MEMORY,
            LockkeeperPeer.FILE,
            JdkPeer.LIBRARY);

    private Libraries() {}

    /** @throws IllegalArgumentException if there is none of that name */
    public static Library named(String id) {
        return ALL.stream()
                .filter(library -> library.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no peer \"" + id + "\"; there are "
                        + String.join(", ", ALL.stream().map(Library::id).toList())));
    }
}
