package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Between processes. */
@Tag("once")
class ProcessesTest {

    @TempDir
    Path folder;

    @TempDir
    Path shared;

    @Test
    void whatAKilledProcessHeldIsFreeAtOnceAndWhatALiveOneHoldsIsNot() throws Exception {
        try (Child child = new Child(folder).ready();
                StoreProgram here = new StoreProgram(folder.toString())) {
            long token = Long.parseLong(child.tell("try x a"));
            child.tell("try s b");
            child.tell("try 2/3 sem");
            assertThat(here.apply("try x a")).isEqualTo("wait");
            assertThat(here.apply("try x b")).isEqualTo("wait");
            assertThat(here.apply("try s b")).isNotEqualTo("wait");
            assertThat(here.apply("try 2/3 sem")).isEqualTo("wait");
            assertThat(here.apply("inspect a")).isEqualTo("1");
            assertThat(here.apply("inspect b")).isEqualTo("2");
            child.stop();
            assertThat(here.apply("try x a")).isEqualTo("wait");
            child.kill();
            assertThat(here.apply("inspect a")).isEqualTo("0");
            assertThat(here.apply("inspect b")).isEqualTo("1");
            assertThat(Long.parseLong(here.apply("try x a"))).isGreaterThan(token);
            assertThat(here.apply("try 3/3 sem")).isNotEqualTo("wait");
            assertThat(Files.list(folder.resolve("_sessions"))).hasSize(1);
        }
    }

    @Test
    void eightProcessesCountExactlyWithTokensThatGoUp() throws Exception {
        Files.writeString(shared.resolve("count"), "0");
        int processes = 8;
        int times = 40;
        List<Child> children = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                children.add(new Child(folder));
            }
            children.forEach(Child::ready);
            children.forEach(child -> child.say("count n " + shared + " " + times));
            children.forEach(child -> assertThat(child.answer()).isEqualTo("done"));
        } finally {
            children.forEach(Child::close);
        }
        assertThat(Files.readString(shared.resolve("count"))).isEqualTo(String.valueOf(processes * times));
        assertThat(Files.readAllLines(shared.resolve("tokens")).stream().map(Long::valueOf))
                .hasSize(processes * times)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** Counting is done by a plain file, so a lost count is two who held at once. */
    @Test
    void processesThatAreKilledWhileTheyWriteHarmNobody() throws Exception {
        Files.writeString(shared.resolve("count"), "0");
        try (StoreProgram here = new StoreProgram(folder.toString())) {
            for (int i = 0; i < 3; i++) {
                try (Child child = new Child(folder).ready()) {
                    child.say("count n " + shared + " 1000000");
                    int before = tokens();
                    while (tokens() < before + 20) {
                        Thread.onSpinWait();
                    }
                    child.kill();
                }
                // The child may have been killed while it wrote the count; all others write it as a whole.
                Files.writeString(shared.resolve("count"), "0");
                assertThat(here.apply("count n " + shared + " 20")).isEqualTo("done");
                assertThat(Files.readString(shared.resolve("count"))).isEqualTo("20");
            }
        }
        assertThat(Files.readAllLines(shared.resolve("tokens")).stream().map(Long::valueOf))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private int tokens() throws Exception {
        Path tokens = shared.resolve("tokens");
        return Files.exists(tokens) ? Files.readAllLines(tokens).size() : 0;
    }

    @Test
    void anInterruptStormTakesNothingAway() throws Exception {
        try (Child child = new Child(folder).ready();
                StoreProgram here = new StoreProgram(folder.toString())) {
            here.apply("try x held");
            here.apply("try s read");
            List<Thread> busy = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String own = "own" + i;
                Thread thread = new Thread(() -> {
                    for (int round = 0; round < 50; round++) {
                        here.apply("try x held");
                        here.apply("renew held");
                        here.apply("inspect read");
                        here.apply("try x " + own);
                        here.apply("release " + own);
                    }
                });
                busy.add(thread);
                thread.start();
            }
            int interrupts = 0;
            while (busy.stream().anyMatch(Thread::isAlive)) {
                busy.forEach(Thread::interrupt);
                interrupts++;
                if (interrupts % 100 == 0) {
                    assertThat(child.tell("try x held")).isEqualTo("wait");
                }
                Thread.onSpinWait();
            }
            assertThat(child.tell("try x held")).isEqualTo("wait");
            assertThat(child.tell("try x read")).isEqualTo("wait");
            assertThat(here.apply("renew held")).isEqualTo("true");
            assertThat(here.apply("release held")).isEqualTo("RELEASED");
            assertThat(child.tell("try x held")).isNotEqualTo("wait");
        }
    }

    @Test
    void twoClassLoadersOfOneProcessDoNotTakeLocksFromEachOther() throws Exception {
        try (Child child = new Child(folder).ready();
                OtherLoader other = new OtherLoader(folder);
                StoreProgram here = new StoreProgram(folder.toString())) {
            here.apply("try x a");
            other.apply("try x b");
            for (int i = 0; i < 50; i++) {
                assertThat(other.apply("try x a")).isEqualTo("wait");
                assertThat(here.apply("try x b")).isEqualTo("wait");
                assertThat(other.apply("inspect a")).isEqualTo("1");
            }
            assertThat(child.tell("try x a")).isEqualTo("wait");
            assertThat(child.tell("try x b")).isEqualTo("wait");
            other.close();
            assertThat(child.tell("try x a")).isEqualTo("wait");
            assertThat(child.tell("try x b")).isNotEqualTo("wait");
        }
    }
}
