package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.Quorum;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** A quorum of stores in memory, some of which may be down for good. */
final class QuorumFixture extends InMemoryFixture {

    private final List<MemoryBackend> members;

    private QuorumFixture(List<MemoryBackend> members, int down, ManualClocks clocks) {
        super(quorum(members, down), clocks);
        this.members = members;
    }

    private static Quorum quorum(List<MemoryBackend> members, int down) {
        List<FaultyBackend> reached = members.stream().map(FaultyBackend::new).toList();
        // All members must have been there once, to agree on the id of the store.
        Call[] kinds = EnumSet.complementOf(EnumSet.of(Call.STORE_ID)).toArray(Call[]::new);
        reached.subList(0, down).forEach(member -> member.network().cut(kinds));
        // Members answer at once; a busy machine does not.
        return Quorum.builder()
                .members(reached)
                .nodeTimeout(Duration.ofSeconds(2))
                .longestLease(Duration.ofMinutes(10))
                .build();
    }

    private static List<MemoryBackend> stores(int count, ManualClocks clocks) {
        return Stream.generate(() -> MemoryBackend.create(clocks)).limit(count).toList();
    }

    static QuorumFixture ofThree() {
        ManualClocks clocks = new ManualClocks();
        return new QuorumFixture(stores(3, clocks), 0, clocks);
    }

    static QuorumFixture ofFiveWithTwoDown() {
        ManualClocks clocks = new ManualClocks();
        return new QuorumFixture(stores(5, clocks), 2, clocks);
    }

    @Override
    public void loseGrants(Resource resource) {
        members.forEach(member -> member.faults().loseGrants(resource));
    }
}
