package io.lockkeeper.benchmarks.jmh;

import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Mutex;
import io.lockkeeper.benchmarks.peer.Peer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Lock and unlock. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PairBenchmark {

    /** The id of a library. */
    @Param("reentrantlock")
    public String library = "";

    /** Its store. */
    @Param("")
    public String url = "";

    private Held held = new Held();

    /** What the set-up has made. */
    private static final class Held {
        private Mutex mutex = new Missing();
        private Mutex again = mutex;
        private Peer peer = new Closed();
    }

    @Setup
    public void open() throws Exception {
        var made = new Held();
        made.peer = Libraries.named(library).open().open(url);
        made.mutex = made.peer.lock("jmh");
        made.again = made.peer.reentrantLock("jmh/again");
        made.again.acquire();
        held = made;
    }

    @TearDown
    public void close() throws Exception {
        held.again.release();
        held.peer.close();
    }

    /** By a thread that does not have it. Each one's time, for percentiles. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public long pair() throws Exception {
        long token = held.mutex.acquire();
        held.mutex.release();
        return token;
    }

    /** By a thread that does not have it; for those that take less time than reading the clock. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public long shortPair() throws Exception {
        return pair();
    }

    /** By the thread that has it already. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public long again() throws Exception {
        long token = held.again.acquire();
        held.again.release();
        return token;
    }

    private static final class Missing implements Mutex {
        @Override
        public long acquire() {
            throw new IllegalStateException("Not open yet");
        }

        @Override
        public void release() {}
    }

    private static final class Closed implements Peer {
        @Override
        public void close() {}
    }
}
