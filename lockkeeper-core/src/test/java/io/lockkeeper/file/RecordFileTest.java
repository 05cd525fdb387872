package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordFileTest {

    @TempDir
    Path folder;

    private Folder.Place place(String name) {
        return new Folder.Place(folder.resolve(name), folder + "/" + name);
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(10));
    }

    private static void write(Folder.Place place, HostSystem.Disk disk, String body, String anchor) {
        try (RecordFile register = RecordFile.open(place, disk, soon())) {
            register.lock(soon());
            register.read();
            register.writeAnchor(anchor.getBytes(StandardCharsets.UTF_8));
            register.write(body.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(Folder.Place place) {
        try (RecordFile register = RecordFile.open(place, FileChannel::open, soon())) {
            RecordFile.Content content = register.read();
            assertThat(content.spoilt).isFalse();
            return text(content.body) + " " + text(content.anchor);
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "none" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aWriterThatIsKilledAfterAnyByteLeavesTheOldOrTheNew() {
        // Longer, shorter and very long ones, so that bodies change places.
        List<String> bodies = List.of("a", "b".repeat(100), "c".repeat(7), "d".repeat(9_000), "e", "f".repeat(50));
        for (int before = 0; before < bodies.size(); before++) {
            String next = "next".repeat(5);
            for (int bytes = 0; ; bytes++) {
                Folder.Place place = place("r" + before + "-" + bytes);
                String old = "none none";
                for (int i = 0; i < before; i++) {
                    write(place, FileChannel::open, bodies.get(i), "anchor" + i);
                    old = bodies.get(i) + " anchor" + i;
                }
                AtomicLong space = new AtomicLong(before == 0 ? bytes * 97L : bytes);
                boolean killed = false;
                try {
                    write(place, FullDisk.of(space), next, "next");
                } catch (LockkeeperException e) {
                    killed = true;
                }
                String oldBody = old.split(" ")[0];
                assertThat(read(place))
                        .isIn(killed ? List.of(old, oldBody + " next", next + " next") : List.of(next + " next"));
                if (!killed) {
                    break;
                }
            }
        }
    }

    @Test
    void theFileDoesNotGrowWithTheNumberOfChanges() throws Exception {
        Folder.Place place = place("often");
        for (int i = 0; i < 500; i++) {
            write(place, FileChannel::open, "x".repeat(10 + i * 7 % 90), "anchor");
        }
        assertThat(Files.size(place.path())).isLessThan(4096 + 300);
    }

    @Test
    void anotherProcessThatStopsWhileItChangesTheFileEndsTheWaitAtTheLimit() throws Exception {
        Folder.Place place = place("stopped");
        write(place, FileChannel::open, "x", "anchor");
        // Another channel of this process, standing for another process: it does not pass the gate.
        try (FileChannel stopped = FileChannel.open(place.path(), StandardOpenOption.WRITE);
                var mutex = stopped.lock(1L << 62, 1, false)) {
            assertThat(mutex.isValid()).isTrue();
            try (RecordFile register = RecordFile.open(place, FileChannel::open, soon())) {
                assertThatThrownBy(() -> register.lock(Deadline.in(Duration.ofMillis(20))))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("is stopped");
            }
        }
    }

    @Test
    void oneThreadAtATimeHasAFileOpen() {
        Folder.Place place = place("gate");
        try (RecordFile first = RecordFile.open(place, FileChannel::open, soon())) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> inAnotherThread(
                            () -> RecordFile.open(place, FileChannel::open, Deadline.in(Duration.ofMillis(20)))))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
        }
        write(place, FileChannel::open, "x", "anchor");
        assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.contains(folder.toString()));
    }

    private static void inAnotherThread(Runnable work) {
        CompletableFuture.runAsync(work, task -> new Thread(task).start()).join();
    }
}
