package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LOCK;
import static io.lockkeeper.quorum.Claims.exclusive;
import static io.lockkeeper.quorum.Steps.eventually;
import static io.lockkeeper.quorum.Steps.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a quorum shows of a resource when its members differ or are silent. */
class MajorityViewTest {

    private static final int QUORUM = 3;

    private static ResourceState on(Resource resource, String... keepers) {
        return new ResourceState(
                resource,
                Stream.of(keepers)
                        .map(keeper -> new ResourceState.Grant(
                                new HolderInfo(keeper, "host", 1, "main"), 7, false, 0, Duration.ofSeconds(9)))
                        .toList(),
                0,
                0);
    }

    private static List<String> shown(int silent, ResourceState... states) {
        return MajorityView.of(List.of(states), QUORUM, silent).map(ResourceState::grants).orElse(List.of()).stream()
                .map(grant -> grant.holder().keeper())
                .toList();
    }

    @Test
    void whatAQuorumHasIsShownAndWhatFewerHaveIsNot() {
        assertThat(shown(0, on(LOCK, "a"), on(LOCK, "a"), on(LOCK, "a"))).containsExactly("a");
        assertThat(shown(0, on(LOCK, "a"), on(LOCK, "a"))).isEmpty();
    }

    @Test
    void aMemberThatDidNotAnswerMayHaveItToo() {
        assertThat(shown(1, on(LOCK, "a"), on(LOCK, "a"))).containsExactly("a");
        assertThat(shown(1, on(LOCK, "a"))).isEmpty();
    }

    @Test
    void ofTwoCandidatesOneAtMostIsShown() {
        assertThat(shown(2, on(LOCK, "a"), on(LOCK, "a"), on(LOCK, "b"))).containsExactly("a");
        assertThat(shown(2, on(LOCK, "a"), on(LOCK, "b"))).isEmpty();
    }

    @Test
    void aHoldIsSeenThoughOneOfItsMembersFails() {
        try (Cluster cluster = new Cluster(3)) {
            cluster.members.get(0).fail(Fault.DOWN, "attempt");
            QuorumStore one = cluster.open("one");
            Claim mine = exclusive();
            granted(one.attempt(mine));
            eventually(one::isQuiet);
            for (String question : List.of("inspect", "list")) {
                cluster.members.get(1).fail(Fault.DOWN, question);
                Optional<ResourceState> seen = question.equals("inspect")
                        ? one.inspect(LOCK)
                        : one.list("").stream().findFirst();
                assertThat(seen.map(ResourceState::isHeld)).as(question).contains(true);
            }
        }
    }
}
