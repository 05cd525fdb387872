package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Frameworks for tests and application servers set the system properties back to an older copy. The store's own are among
 * them. The process in which that happens is another one, because this one has other tests in it.
 */
@Tag("once")
class RestoredPropertiesTest {

    @TempDir
    Path folder;

    @Test
    void theLocksOfAProcessThatRestoresItsPropertiesAreNotGivenAway() throws Exception {
        try (Child holder = new Child(folder).ready();
                StoreProgram rival = new StoreProgram(folder.toString())) {
            holder.tell("try x a");
            holder.tell("forget");
            assertThat(holder.tell("again")).isEqualTo("closed");
            assertThat(rival.apply("try x a")).isEqualTo("wait");
            assertThat(holder.tell("renew a")).isEqualTo("true");
        }
    }

    @Test
    void norByAnotherClassLoaderThatKnowsNothingOfThem() throws Exception {
        try (Child holder = new Child(folder).ready();
                StoreProgram rival = new StoreProgram(folder.toString())) {
            holder.tell("try x a");
            for (int i = 0; i < 3; i++) {
                holder.tell("forget");
                assertThat(holder.tell("other")).isEqualTo("closed");
                assertThat(rival.apply("try x a")).isEqualTo("wait");
            }
            holder.kill();
            assertThat(rival.apply("try x a")).isNotEqualTo("wait");
        }
    }

    /** The copy of the properties was made while a second keeper and the file of the lock were open. */
    @Test
    void propertiesThatComeBackKeepNothingAliveAndBarNoFile() throws Exception {
        try (Child holder = new Child(folder).ready()) {
            assertThat(holder.tell("second try x b")).isNotEqualTo("wait");
            holder.tell("remember b");
            assertThat(holder.tell("second close")).isEqualTo("closed");
            holder.tell("restore");
            assertThat(holder.tell("try x b")).matches("[0-9]+");
        }
    }

    /** A process may be started with all properties of another one, which has ended since. */
    @Test
    void propertiesInheritedFromAnotherProcessKeepNothingAlive() throws Exception {
        try (StoreProgram rival = new StoreProgram(folder.toString());
                Child holder = new Child(folder).ready()) {
            List<String> ours = sessions();
            holder.tell("try x a");
            assertThat(rival.apply("try x a")).isEqualTo("wait");
            holder.kill();
            List<String> inherited = ours.stream()
                    .map(session -> "io.lockkeeper.file.session:" + session)
                    .filter(property -> System.getProperty(property) == null)
                    .toList();
            assertThat(inherited).hasSize(1);
            System.setProperty(inherited.get(0), holder.pid() + ":1234");
            try {
                assertThat(rival.apply("try x a")).isNotEqualTo("wait");
            } finally {
                System.clearProperty(inherited.get(0));
            }
        }
    }

    private List<String> sessions() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(Folder.SESSIONS))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** Another class loader of the JVM sweeps the sessions just when a session's file was made and is not locked yet. */
    @Test
    void aSessionIsKnownToOtherClassLoadersBeforeItsFileIsThere() throws Exception {
        HostSystem.Disk disk = (path, options) -> {
            FileChannel made = FileChannel.open(path, options);
            if (path.getParent().endsWith(Folder.SESSIONS)) {
                sweepByAnotherLoader();
            }
            return made;
        };
        try (var store = new FileBackend(folder, null, new HostSystem(disk, "boot")).open(new TestKeeper("A"));
                StoreProgram rival = new StoreProgram(folder.toString())) {
            Claims.granted(store, Claims.exclusive());
            assertThat(rival.apply("try x " + Claims.LOCK.name())).isEqualTo("wait");
        }
    }

    private void sweepByAnotherLoader() {
        try {
            new OtherLoader(folder).close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
