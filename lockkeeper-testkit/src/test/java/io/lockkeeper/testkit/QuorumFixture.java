package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A quorum of stores in memory, some of which may be down for good, behind a network that stands for a server's faults. */
final class QuorumFixture implements BackendFixture {

    private final List<MemoryBackend> members;
    private final Quorum quorum;
    private final FaultyBackend backend;

    private QuorumFixture(int members, int down) {
        this.members = Stream.generate(MemoryBackend::create).limit(members).toList();
        List<FaultyBackend> reached =
                this.members.stream().map(FaultyBackend::new).toList();
        // All members must have been there once, to agree on the id of the store.
        Call[] kinds = EnumSet.complementOf(EnumSet.of(Call.STORE_ID)).toArray(Call[]::new);
        reached.subList(0, down).forEach(member -> member.network().cut(kinds));
        // Members answer at once; a busy machine does not.
        quorum = Quorum.builder()
                .members(reached)
                .nodeLimit(Duration.ofSeconds(2))
                .longestLease(Duration.ofMinutes(10))
                .build();
        backend = new FaultyBackend(quorum);
    }

    static QuorumFixture ofThree() {
        return new QuorumFixture(3, 0);
    }

    static QuorumFixture ofFiveWithTwoDown() {
        return new QuorumFixture(5, 2);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.allOf(Fault.class);
    }

    @Override
    public void loseGrants(Resource resource) {
        members.forEach(member -> member.faults().loseGrants(resource));
    }

    @Override
    public void pauseServer() {
        backend.network().hang();
    }

    @Override
    public void resumeServer() {
        backend.network().heal();
    }

    @Override
    public void killServer() {
        backend.network().cut();
    }

    @Override
    public void restartServer() {
        backend.network().heal();
    }

    @Override
    public void close() {
        backend.close();
        quorum.close();
    }
}
