package io.lockkeeper.quorum;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Some members, each with clocks of its own, and keepers that have them opened. */
final class Cluster implements AutoCloseable {

    final TestClocks clocks = new TestClocks();
    final List<FaultyMember> members = new ArrayList<>();
    final List<TestClocks> memberClocks = new ArrayList<>();
    final List<Resource> signals = new CopyOnWriteArrayList<>();
    private final List<QuorumStore> opened = new ArrayList<>();
    private final Quorum quorum;

    Cluster(int size) {
        this(size, builder -> builder);
    }

    Cluster(int size, UnaryOperator<QuorumBuilder> settings) {
        // Long enough for a busy machine; members that hang cost at most this much.
        QuorumBuilder builder = Quorum.builder().nodeTimeout(Duration.ofSeconds(3));
        for (int i = 0; i < size; i++) {
            TestClocks own = new TestClocks();
            FaultyMember member = new FaultyMember(own);
            memberClocks.add(own);
            members.add(member);
            builder.member(member);
        }
        quorum = settings.apply(builder).build();
    }

    /** Time passes for all alike. */
    void advance(Duration time) {
        clocks.advance(time);
        memberClocks.forEach(clock -> clock.advance(time));
    }

    QuorumStore open(String keeperId) {
        QuorumStore store = (QuorumStore) quorum.open(new Keeper() {
            @Override
            public String id() {
                return keeperId;
            }

            @Override
            public HolderInfo holder() {
                return new HolderInfo(keeperId, "host", 1, "");
            }

            @Override
            public Duration lease() {
                return Duration.ofSeconds(30);
            }

            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(1);
            }

            @Override
            public Clocks clocks() {
                return clocks;
            }

            @Override
            public void signal(Resource resource) {
                signals.add(resource);
            }

            @Override
            public void signalAll() {}

            @Override
            public boolean knows(Resource resource, String claimId) {
                return false;
            }
        });
        opened.add(store);
        if (opened.size() == 1 && members.stream().allMatch(FaultyMember::isWell)) {
            // What a quorum does when it is first opened is not counted.
            Steps.eventually(store::isQuiet);
            members.forEach(member -> member.calls.clear());
        }
        return store;
    }

    @Override
    public void close() {
        members.forEach(FaultyMember::heal);
        opened.forEach(QuorumStore::close);
    }
}
