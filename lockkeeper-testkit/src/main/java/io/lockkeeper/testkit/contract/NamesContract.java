package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Names: any text, used as it is. Nothing is truncated, folded or collided, and no name leaves its place. */
public abstract class NamesContract extends ContractTest {

    /** Names that some store or encoding might confuse with another, or choke on: one a word. All are different. */
    private static final String WORDS = """
            name Name NAME name. .name name/ /name name// na/me . .. ... ../name ../../etc/passwd / // \\ ..\\name C:\\name C:
            ~ ~root $HOME ${HOME} `id` $(id) % %2F %2f %252F a%00b + a+b { } {} {x} {x}y {x}z a{x}b }{ * ? a* a? [a-z] [ ] ^a$
            ' '' " ` ';DROP--TABLE a'b \\' _ a_c abc a%c -- # ; : :: a:b lock lock:name fence queue token null NULL nil true 0
            00 -1 1e3 NaN con CON nul aux.txt a.lock a.tmp a~ .lock .nfs1 ä Ä é ß ss SS ı i I İ K k ſ s ﬁ fi Σ σ ς １ 1
            名前 ロック ﾛｯｸ 🔒 🔒🔒 🔓 &lt; <a>
            """;

    /** And those that cannot be written as words. */
    private static final List<String> OTHERS = List.of(
            "name ",
            " name",
            "a b",
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "a\nb",
            "\u0000",
            "a\u0000b",
            "a\u0000c",
            "\u001b[31m",
            "\u007f",
            "a\u0308",
            "e\u0301",
            "\u212a",
            "\u00a0",
            "\u200b",
            "\u2028",
            "\ufeff",
            "\ufeffname",
            "\u202ename",
            "\ufffd",
            "\ue000",
            "👩\u200d👩\u200d👧");

    private static List<String> nastyNames() {
        List<String> names = new ArrayList<>(OTHERS);
        names.addAll(List.of(WORDS.strip().split("\\s+")));
        IntStream.range(1, 32).mapToObj(i -> "control" + (char) i).forEach(names::add);
        return names;
    }

    @Test
    void everyNameIsALockOfItsOwn() {
        assertThat(nastyNames()).hasSizeGreaterThan(160).doesNotHaveDuplicates();
        List<ExclusiveHold> holds = new ArrayList<>();
        for (String name : nastyNames()) {
            ExclusiveHold hold = keeper().lock(name).tryAcquire();
            assertThat(hold).as("'%s' is free though the others are held", name).isNotNull();
            holds.add(held(hold));
        }
        for (ExclusiveHold hold : holds) {
            assertThat(otherKeeper().lock(hold.name()).tryAcquire())
                    .as(hold.name())
                    .isNull();
            ResourceState state = otherKeeper().inspect(hold.name()).orElseThrow();
            assertThat(state.resource().name()).isEqualTo(hold.name());
            assertThat(state.grants()).hasSize(1);
            if (can(Capability.HOLDERS)) {
                assertThat(state.grants().get(0).token()).isEqualTo(hold.token());
            }
        }
        if (can(Capability.HOLDERS)) {
            assertThat(otherKeeper().list("").stream()
                            .map(state -> state.resource().name()))
                    .containsAll(nastyNames());
        }
        for (ExclusiveHold hold : holds) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.close();
            assertNoTrace(hold.name());
        }
    }

    @Test
    void theLongestAndShortestNamesWork() {
        List<String> names = List.of(
                "x".repeat(255),
                "x".repeat(254) + "y",
                "x".repeat(254),
                "/".repeat(255),
                "%".repeat(255),
                "é".repeat(127) + "a",
                "é".repeat(127) + "b",
                "漢".repeat(85),
                "🔒".repeat(63) + "abc",
                "\u0001".repeat(255),
                "ü",
                "z");
        List<ExclusiveHold> holds = new ArrayList<>();
        for (String name : names) {
            holds.add(take(keeper().lock(name)));
            taken(otherKeeper().lock(name));
        }
        holds.forEach(SingleHold::close);
        names.forEach(this::assertNoTrace);
    }

    @Test
    void namesThatAreTooLongOrEmptyOrNoTextAreRefused() {
        List<String> bad = List.of(
                "",
                "x".repeat(256),
                "é".repeat(128),
                "🔒".repeat(64),
                "漢".repeat(86),
                "a\ud83d",
                "\udd12",
                "\udd12\ud83d");
        for (String name : bad) {
            assertRefused(() -> keeper().lock(name));
            assertRefused(() -> keeper().multiLock("good", name));
            assertRefused(() -> keeper().inspect(name));
            assertRefused(() -> keeper().release(name, "some id"));
            assertRefused(() -> keeper().segmentedLock(name, 3));
            assertRefused(() -> keeper().leaderElection(name));
            if (can(Capability.SHARED)) {
                assertRefused(() -> keeper().readWriteLock(name));
            }
            if (can(Capability.PERMITS)) {
                assertRefused(() -> keeper().semaphore(name, 3));
            }
            if (can(Capability.LATCH)) {
                assertRefused(() -> keeper().latch(name));
            }
            if (can(Capability.FAIR)) {
                assertRefused(() -> keeper().fairLock(name));
            }
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("name");
    }

    @Test
    void familiesThatShareANameAreIndependent() throws Exception {
        String name = freshName();
        List<AutoCloseable> held = new ArrayList<>();
        held.add(take(keeper().lock(name)));
        SegmentHold segment = held(keeper().segmentedLock(name, 2).segment(0).tryAcquire());
        held.add(segment);
        if (can(Capability.PERMITS)) {
            held.add(held(keeper().semaphore(name, 1).tryAcquire()));
        }
        LeaderElection election = closing(keeper().leaderElection(name));
        election.join();
        eventually("it leads", election::isLeader);
        if (can(Capability.LATCH)) {
            DistributedLatch latch = keeper().latch(name);
            assertThat(latch.trySetCount(1)).isTrue();
            latch.delete();
        }
        if (can(Capability.HOLDERS)) {
            assertThat(keeper().list(name))
                    .filteredOn(state -> !state.resource().family().equals(Family.CANDIDATE))
                    .hasSize(can(Capability.PERMITS) ? 4 : 3);
        }
        for (AutoCloseable one : held) {
            one.close();
        }
        election.leave();
        assertNoTrace(name);
        eventually(
                "nothing is left",
                () -> !can(Capability.HOLDERS) || keeper().list(name).isEmpty());
    }

    @Test
    void locksFairLocksAndWriteLocksOfOneNameAreOneResource() {
        String name = freshName();
        List<DistributedLock> ways = new ArrayList<>(List.of(keeper().lock(name)));
        if (can(Capability.FAIR)) {
            ways.add(otherKeeper().fairLock(name));
        }
        if (can(Capability.SHARED)) {
            ways.add(otherKeeper().readWriteLock(name).writeLock());
        }
        for (DistributedLock one : ways) {
            try (SingleHold hold = take(one)) {
                for (DistributedLock other : ways) {
                    taken(other);
                }
                if (can(Capability.SHARED)) {
                    assertThat(keeper().readWriteLock(name).readLock().tryAcquire())
                            .isNull();
                }
            }
        }
        assertNoTrace(name);
    }

    @TestIfOffered(Capability.HOLDERS)
    void listingTakesAPrefixForWhatItIs() {
        String base = freshName();
        List<String> names = List.of(
                base + "a*",
                base + "ab",
                base + "A*",
                base + "a_b",
                base + "a%b",
                base + "a{b",
                base + "a[b]",
                base + "/");
        List<ExclusiveHold> holds =
                names.stream().map(name -> take(keeper().lock(name))).toList();
        for (String name : names) {
            assertThat(keeper().list(name))
                    .singleElement()
                    .satisfies(state -> assertThat(state.resource().name()).isEqualTo(name));
        }
        assertThat(keeper().list(base)).hasSize(names.size());
        assertThat(keeper().list(base + "a")).hasSize(6);
        holds.forEach(SingleHold::close);
        eventually("nothing is listed", () -> keeper().list(base).isEmpty());
    }
}
