package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK's Flight Recorder is told, and that a keeper works where there is no Flight Recorder. */
class FlightLogTest {

    @TempDir
    Path folder;

    private static List<RecordedEvent> named(List<RecordedEvent> events, String kind) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.lockkeeper." + kind))
                .toList();
    }

    private List<RecordedEvent> stop(Recording recording) throws Exception {
        recording.stop();
        Path file = folder.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    @Test
    void aRecordingThatBeginsLaterHasAcquisitionsWaitsAndLosses() throws Exception {
        try (Lockkeeper keeper = Lockkeeper.connect("memory:flight-log-test");
                Recording recording = new Recording()) {
            // The classes of the events are loaded, and off, before the recording begins.
            keeper.lock("before").acquire().close();
            recording.enable("io.lockkeeper.Acquire").withThreshold(Duration.ZERO);
            recording.enable("io.lockkeeper.Wait").withThreshold(Duration.ZERO);
            recording.enable("io.lockkeeper.Lost");
            recording.start();
            keeper.lock("quick").acquire().close();
            ExclusiveHold busy = keeper.lock("busy").acquire();
            // Long enough to come to wait at all on a busy machine.
            assertThat(keeper.lock("busy")
                            .tryAcquireAsync(Duration.ofSeconds(1))
                            .get(1, TimeUnit.MINUTES))
                    .isNull();
            keeper.forceRelease("busy");
            busy.lost().get(1, TimeUnit.MINUTES);
            List<RecordedEvent> events = stop(recording);

            RecordedEvent quick = named(events, "Acquire").stream()
                    .filter(event -> event.getString("name").equals("quick"))
                    .findFirst()
                    .orElseThrow();
            assertThat(quick.getString("family")).isEqualTo("lock");
            assertThat(quick.getString("backend")).isEqualTo("memory");
            assertThat(quick.getString("outcome")).isEqualTo("acquired");
            assertThat(quick.getLong("token")).isPositive();
            assertThat(named(events, "Acquire"))
                    .extracting(event -> event.getString("outcome"))
                    .containsExactlyInAnyOrder("acquired", "acquired", "timeout");
            assertThat(named(events, "Wait")).hasSize(1);
            RecordedEvent wait = named(events, "Wait").get(0);
            assertThat(wait.getString("name")).isEqualTo("busy");
            assertThat(wait.getDuration()).isPositive();
            assertThat(named(events, "Lost")).hasSize(1);
            assertThat(named(events, "Lost").get(0).getLong("token")).isEqualTo(busy.token());
            assertThat(named(events, "Lost").get(0).getString("reason")).isEqualTo("FORCED");
        }
    }

    @Test
    void anAcquisitionWithoutARecordingAndAListenerHasNoReport() throws Exception {
        assertThat(FlightLog.recordsAcquisitions()).isFalse();
        try (Recording recording = new Recording()) {
            recording.enable("io.lockkeeper.Wait");
            recording.start();
            assertThat(FlightLog.recordsAcquisitions()).isTrue();
        }
        assertThat(FlightLog.recordsAcquisitions()).isFalse();
    }

    /** A program for a runtime that has the module java.base alone. */
    static final class Bare {

        private Bare() {}

        public static void main(String[] arguments) throws Exception {
            boolean present = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
            try (Lockkeeper keeper = Lockkeeper.connect("memory:bare");
                    ExclusiveHold hold = keeper.lock("a").acquire()) {
                keeper.forceRelease("a");
                hold.lost().get(1, TimeUnit.MINUTES);
                System.out.println("recorder " + present + ", " + hold.state() + " " + Resource.lock("a"));
            }
        }
    }

    @Test
    void aKeeperWorksInARuntimeImageWithoutTheRecorder() throws Exception {
        Path image = folder.resolve("image");
        int made = ToolProvider.findFirst("jlink")
                .orElseThrow()
                .run(System.out, System.err, "--add-modules", "java.base", "--output", image.toString());
        assertThat(made).isZero();
        String code = Path.of(Lockkeeper.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                + java.io.File.pathSeparator
                + Path.of(FlightLogTest.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
        Path output = folder.resolve("output");
        Process bare = new ProcessBuilder(image.resolve("bin/java").toString(), "-cp", code, Bare.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(bare.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            bare.destroyForcibly();
        }
        assertThat(Files.readString(output)).endsWith("recorder false, LOST lock 'a'\n");
    }
}
