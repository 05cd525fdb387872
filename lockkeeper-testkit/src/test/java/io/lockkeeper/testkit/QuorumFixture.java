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

    private QuorumFixture(List<MemoryBackend> members, int down) {
        super(quorum(members, down));
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
                .nodeLimit(Duration.ofSeconds(2))
                .longestLease(Duration.ofMinutes(10))
                .build();
    }

    private static List<MemoryBackend> stores(int count) {
        return Stream.generate(MemoryBackend::create).limit(count).toList();
    }

    static QuorumFixture ofThree() {
        return new QuorumFixture(stores(3), 0);
    }

    static QuorumFixture ofFiveWithTwoDown() {
        return new QuorumFixture(stores(5), 2);
    }

    @Override
    public void loseGrants(Resource resource) {
        members.forEach(member -> member.faults().loseGrants(resource));
    }
}
