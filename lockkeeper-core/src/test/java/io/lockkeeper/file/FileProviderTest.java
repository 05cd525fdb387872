package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class FileProviderTest {

    private static String folder(String url) {
        return new FileProvider().create(url).describe();
    }

    @Test
    void isFoundByItsScheme() {
        assertThat(ServiceLoader.load(BackendProvider.class))
                .filteredOn(provider -> provider.schemes().contains("file"))
                .hasExactlyElementsOfTypes(FileProvider.class);
    }

    @Test
    void readsUrlsWithAndWithoutSlashes() {
        assertThat(folder("file:/var/locks")).isEqualTo("file:/var/locks");
        assertThat(folder("file:///var/locks")).isEqualTo("file:/var/locks");
        assertThat(folder("FILE:/var/my locks?#%20")).isEqualTo("file:/var/my locks?#%20");
        assertThat(folder("file:locks/here"))
                .isEqualTo("file:" + Path.of("locks/here").toAbsolutePath());
        assertThat(folder("file:~/x")).isEqualTo("file:" + Path.of("~/x").toAbsolutePath());
    }

    @Test
    void saysWhatIsWrongWithAUrl() {
        assertThatThrownBy(() -> folder("file:"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no folder")
                .hasMessageContaining("file:/var/lib/locks");
        assertThatThrownBy(() -> folder("file://host/var")).hasMessageContaining("'host'");
        assertThatThrownBy(() -> folder("redis:x")).hasMessageContaining("does not begin");
        assertThatThrownBy(() -> folder("file:/a\u0000b")).hasMessageContaining("no path of this system");
    }

    @Test
    void declaresWhatItCanDo() {
        assertThat(new FileProvider().create("file:/x").capabilities())
                .containsExactlyInAnyOrder(
                        Capability.SHARED,
                        Capability.PERMITS,
                        Capability.QUEUE,
                        Capability.LATCH,
                        Capability.HAND_OFF,
                        Capability.EXTEND,
                        Capability.SIZES,
                        Capability.HOLDERS);
    }
}
