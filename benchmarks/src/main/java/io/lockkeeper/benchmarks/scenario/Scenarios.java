package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Round;
import io.lockkeeper.benchmarks.job.Order;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.report.Goal;
import io.lockkeeper.benchmarks.report.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Everything that is measured, in the order of the page. */
public final class Scenarios {

    private static final String OURS = "lockkeeper";
    private static final String OFF = "lockkeeper-nohandoff";
    private static final String REDISSON = "redisson";
    private static final List<String> EVERY = List.of(
            OURS, REDISSON, "redisson-spin", "redisson-fenced", "spring-spin", "spring-pubsub", "jedis", "lettuce");
    private static final List<String> CHIEF = List.of(OURS, REDISSON, "spring-pubsub", "jedis");
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private Scenarios() {}

    public static List<Scenario> all(Pace pace) {
        List<Scenario> all = new ArrayList<>();
        own(all, pace);
        contended(all, pace, "contended", "16 threads of one JVM", 16, 1);
        contended(all, pace, "processes", "4 JVMs × 4 threads", 4, 4);
        handOver(all, pace);
        otherPrimitives(all);
        single(all, pace);
        all.add(new Held(List.of(OURS, REDISSON)));
        growth(all, pace);
        sql(all);
        zookeeper(all);
        etcd(all);
        all.add(new Starting(pace.all() ? EVERY : CHIEF));
        return all;
    }

    private static void own(List<Scenario> all, Pace pace) {
        List<String> libraries = pace.all() ? EVERY : CHIEF;
        Order order = Order.of("lock").with("share", "own");
        all.add(redis(
                        "own/1",
                        "1 thread, own name",
                        "One thread locks and unlocks a name that nobody else wants.",
                        order,
                        libraries)
                .main()
                .goals(Goal.times(REDISSON, 1.6), Goal.times("jedis", 0.9), Goal.atMost("commands", 2.05)));
        // The goal is the better of the two raw clients, so it is that of both.
        for (int threads : new int[] {8, 64}) {
            all.add(redis(
                            "own/" + threads,
                            threads + " threads, own names",
                            threads + " threads of one JVM each lock and unlock a name of their own.",
                            order.with("threads", threads),
                            libraries)
                    .main()
                    .goals(Goal.times(REDISSON, 3), Goal.times("jedis", 0.85), Goal.times("lettuce", 0.85)));
        }
        all.add(redis(
                        "sticky",
                        "1 thread, the same name again and again, sticky",
                        "As the first row, but with `lock.sticky(…)`: the grant stays with the process until another one"
                                + " asks.",
                        order,
                        List.of("lockkeeper-sticky", OURS, REDISSON, "jedis"))
                .goals(Goal.atMost("commands", 0.01)));
        all.add(redis(
                        "reentrant",
                        "1 thread that has the lock takes it again",
                        "A thread that has a lock takes it once more and gives that back.",
                        order.with("kind", "again"),
                        List.of(OURS, REDISSON, "spring-pubsub"))
                .of(Feature.REENTRANT)
                .goals(Goal.times(REDISSON, 1), Goal.atMost("commands", 0.001)));
    }

    private static void contended(List<Scenario> all, Pace pace, String group, String who, int threads, int processes) {
        List<String> some = pace.smokes()
                ? List.of(OURS)
                : pace.all() ? List.of(OURS, OFF, REDISSON, "jedis") : List.of(OURS, OFF, REDISSON);
        List<String> libraries = new ArrayList<>(pace.all() ? EVERY : CHIEF);
        libraries.add(pace.smokes() ? libraries.size() : 1, OFF);
        Order order = Order.of("lock").with("threads", threads);
        Contest plain = redis(
                        group + "/plain",
                        who + ", one name",
                        who + " lock and unlock one name as fast as they can; nothing is done under the lock.",
                        order,
                        libraries)
                .by(processes)
                .main();
        all.add(
                processes == 1
                        ? plain.goals(
                                Goal.times(REDISSON, 50),
                                Goal.atLeast("least/mean thread", 0.5),
                                Goal.atMost("commands", 0.2))
                        : plain.goals(Goal.times(REDISSON, 30), Goal.atLeast("least/mean process", 0.5)));
        for (int work : new int[] {100, 1000}) {
            String time = work == 100 ? "100 µs" : "1 ms";
            all.add(redis(
                            group + "/" + (work == 100 ? "100us" : "1ms"),
                            who + ", one name, " + time + " of work",
                            "The same with " + time + " of work (the processor is busy) under the lock.",
                            order.with("work", work),
                            some)
                    .by(processes)
                    .goals(Goal.times(REDISSON, 1)));
        }
        all.add(redis(
                        group + "/delay",
                        who + ", one name, 1 ms of network",
                        "The same without work, through a proxy that delays each answer of the server by 1 ms.",
                        order,
                        some)
                .by(processes)
                .delayedBy(MILLISECOND)
                .goals(Goal.times(REDISSON, 1)));
    }

    private static void handOver(List<Scenario> all, Pace pace) {
        all.add(redis(
                        "handover",
                        "Hand-over between two JVMs",
                        "From just before the release in one JVM until the other, which has waited for a millisecond or"
                                + " more, has the lock: each hand-over by itself, nobody else wants the name.",
                        Order.of("hand-over"),
                        pace.all() ? EVERY : CHIEF)
                .by(2)
                .counting(new Unit("µs p50", false), round -> round.waits().quantile(0.5) / 1000));
    }

    private static void otherPrimitives(List<Scenario> all) {
        List<String> two = List.of(OURS, REDISSON, "redisson-expirable");
        all.add(redis(
                        "fair",
                        "Fair lock, 4 JVMs × 4 threads, one name",
                        "4 JVMs × 4 threads lock and unlock one name that is granted strictly in the order of asking.",
                        Order.of("lock").with("kind", "fair").with("threads", 4),
                        two)
                .of(Feature.FAIR)
                .by(4)
                .main()
                .goals(Goal.times(REDISSON, 5), Goal.atLeast("least/mean process", 0.5)));
        all.add(redis(
                        "readwrite",
                        "Read-write lock, 95 % reads",
                        "4 JVMs × 4 threads take one read-write lock, 95 times of 100 to read; nothing is done under it.",
                        Order.of("read-write").with("reads", 95).with("threads", 4),
                        two)
                .of(Feature.READ_WRITE)
                .by(4));
        all.add(redis(
                        "semaphore",
                        "Semaphore of 8, 64 threads",
                        "64 threads of one JVM take and give back one of 8 permits. Lockkeeper's and Redisson's expirable"
                                + " permits come back when their holder crashes; those of Redisson's plain semaphore do"
                                + " not.",
                        Order.of("semaphore").with("permits", 8).with("threads", 64),
                        two)
                .of(Feature.SEMAPHORE));
        all.add(redis(
                        "latch",
                        "Latch fan-in, 4 JVMs × 4 threads",
                        "16 threads of 4 JVMs count one latch down and all wait for it, then the next, and so on; counted"
                                + " is how often a thread passed, waited is from its count-down until it passed.",
                        Order.of("latch").with("threads", 4),
                        two)
                .of(Feature.LATCH)
                .by(4)
                .counting(new Unit("passages/s", true), Round::perSecond));
    }

    private static void single(List<Scenario> all, Pace pace) {
        List<String> libraries = pace.smokes() ? List.of(OURS) : pace.all() ? EVERY : CHIEF;
        all.add(new Single(
                "single/pair",
                "One pair on Redis",
                "The time of each lock and unlock of a free name by one thread (JMH, sample time).",
                "redis",
                Feature.LOCK,
                libraries,
                "pair",
                true));
        all.add(new Single(
                "single/again",
                "One pair by a thread that has the lock",
                "Lock and unlock by a thread that has it already (JMH, average time).",
                "redis",
                Feature.REENTRANT,
                pace.smokes() ? List.of(OURS) : List.of(OURS, REDISSON, "spring-pubsub", "reentrantlock"),
                "again",
                false));
        all.add(new Single(
                "single/memory",
                "One pair without a server",
                "Lock and unlock of a free name by one thread within the process, and with file locks (JMH, average"
                        + " time).",
                "none",
                Feature.LOCK,
                pace.smokes()
                        ? List.of("lockkeeper-memory")
                        : List.of("lockkeeper-memory", "lockkeeper-file", "reentrantlock"),
                "shortPair",
                false));
    }

    private static void growth(List<Scenario> all, Pace pace) {
        List<String> two = List.of(OURS, REDISSON);
        all.add(new Growing(
                "growth/names",
                "Names",
                "One thread locks and unlocks any of so many names, all of which were used before (what is left of that in"
                        + " the server is copied there).",
                "names",
                two,
                sizes(pace, 1_000, 1, 1_000, 100_000, 1_000_000),
                Growing::names));
        all.add(new Growing(
                "growth/waiters",
                "Waiters",
                "So many threads of one JVM want one name; the time from one acquisition to the next.",
                "waiters",
                two,
                sizes(pace, 100, 1, 10, 100, 1_000, 10_000),
                Growing::waiters));
        all.add(new Growing(
                "growth/held",
                "Held locks",
                "One thread locks and unlocks a free name while its JVM holds so many others.",
                "held locks",
                two,
                sizes(pace, 1_000, 1, 100, 1_000, 10_000, 100_000),
                Growing::held));
        all.add(new Growing(
                "growth/processes",
                "Processes",
                "So many JVMs with one thread each want one name; the time from one acquisition to the next.",
                "processes",
                two,
                sizes(pace, 4, 1, 2, 4, 8, 16),
                Growing::processes));
    }

    private static void sql(List<Scenario> all) {
        String sql = "lockkeeper-sql";
        all.add(new Contest(
                        "postgresql",
                        "sql/own",
                        "PostgreSQL: 1 thread, own name",
                        "One thread locks and unlocks a name that nobody else wants; each commit waits for the disk.",
                        Order.of("lock").with("share", "own"),
                        List.of(sql, "shedlock", "spring-jdbc", "raw-sql"))
                .main()
                .goals(Goal.times("shedlock", 1.3), Goal.times("spring-jdbc", 1.3)));
        all.add(new Contest(
                        "postgresql",
                        "sql/handover",
                        "PostgreSQL: hand-over between two JVMs",
                        "As the hand-over on Redis. ShedLock cannot wait, so it is not here; Spring polls every 100 ms, the"
                                + " raw statements every millisecond.",
                        Order.of("hand-over"),
                        List.of(sql, "lockkeeper-sql-sticky", "spring-jdbc", "raw-sql"))
                .by(2)
                .counting(new Unit("µs p50", false), round -> round.waits().quantile(0.5) / 1000)
                .goals(Goal.times("spring-jdbc", 5)));
        all.add(new Contest(
                        "postgresql",
                        "sql/refused",
                        "PostgreSQL: an attempt that fails",
                        "One thread asks, without waiting, for a name that another JVM holds.",
                        Order.of("refused"),
                        List.of(sql, "shedlock", "spring-jdbc", "raw-sql"))
                .by(2)
                .counting(new Unit("attempts/s", true), Round::perSecond));
    }

    private static void zookeeper(List<Scenario> all) {
        String zookeeper = "lockkeeper-zookeeper";
        List<String> libraries = List.of(zookeeper, "curator", "raw-zookeeper");
        all.add(new Contest(
                        "zookeeper",
                        "zookeeper/own",
                        "ZooKeeper: 1 thread, own name",
                        "One thread locks and unlocks a name that nobody else wants; the server does not wait for its disk.",
                        Order.of("lock").with("share", "own"),
                        List.of(zookeeper, "lockkeeper-zookeeper-sticky", "curator", "raw-zookeeper"))
                .main()
                .goals(Goal.times("curator", 1)));
        all.add(new Contest(
                        "zookeeper",
                        "zookeeper/contended",
                        "ZooKeeper: 16 threads of one JVM, one name",
                        "16 threads of one JVM lock and unlock one name as fast as they can; nothing is done under the lock.",
                        Order.of("lock").with("threads", 16),
                        libraries)
                .main()
                .goals(Goal.times("curator", 20), Goal.atLeast("least/mean thread", 0.5)));
        all.add(new Contest(
                        "zookeeper",
                        "zookeeper/processes",
                        "ZooKeeper: 4 JVMs × 4 threads, one name",
                        "The same with 4 threads in each of 4 JVMs.",
                        Order.of("lock").with("threads", 4),
                        libraries)
                .by(4)
                .main()
                .goals(Goal.atLeast("least/mean process", 0.5)));
        all.add(new Contest(
                        "zookeeper",
                        "zookeeper/handover",
                        "ZooKeeper: hand-over between two JVMs",
                        "As the hand-over on Redis.",
                        Order.of("hand-over"),
                        libraries)
                .by(2)
                .counting(new Unit("µs p50", false), round -> round.waits().quantile(0.5) / 1000));
    }

    private static void etcd(List<Scenario> all) {
        List<String> libraries = List.of("lockkeeper-etcd", "jetcd", "raw-etcd");
        all.add(new Contest(
                        "etcd",
                        "etcd/own",
                        "etcd: 1 thread, own name",
                        "One thread locks and unlocks a name that nobody else wants; each write waits for the disk.",
                        Order.of("lock").with("share", "own"),
                        libraries)
                .main()
                .goals(Goal.times("jetcd", 1.2), Goal.atMost("commands", 2.05)));
        all.add(new Contest(
                        "etcd",
                        "etcd/contended",
                        "etcd: 16 threads of one JVM, one name",
                        "16 threads of one JVM lock and unlock one name as fast as they can; nothing is done under the lock.",
                        Order.of("lock").with("threads", 16),
                        libraries)
                .main()
                .goals(Goal.times("jetcd", 50), Goal.atLeast("least/mean thread", 0.5)));
        all.add(new Contest(
                        "etcd",
                        "etcd/processes",
                        "etcd: 4 JVMs × 4 threads, one name",
                        "The same by 4 JVMs with 4 threads each.",
                        Order.of("lock").with("threads", 4),
                        libraries)
                .by(4)
                .main()
                .goals(Goal.atLeast("least/mean process", 0.5)));
        all.add(new Contest(
                        "etcd",
                        "etcd/handover",
                        "etcd: hand-over between two JVMs",
                        "As the hand-over on Redis.",
                        Order.of("hand-over"),
                        List.of("lockkeeper-etcd", "jetcd"))
                .by(2)
                .counting(new Unit("µs p50", false), round -> round.waits().quantile(0.5) / 1000));
    }

    /** All of them, or those that are not too great for a quick run. */
    private static List<Integer> sizes(Pace pace, int quick, int... all) {
        return Arrays.stream(all)
                .filter(size -> pace.all() || size <= (pace.smokes() ? Math.min(2, quick) : quick))
                .boxed()
                .toList();
    }

    private static Contest redis(String id, String title, String sentence, Order order, List<String> libraries) {
        return new Contest("redis", id, title, sentence, order, libraries);
    }
}
