package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.exclusive;
import static io.lockkeeper.file.Claims.granted;
import static io.lockkeeper.file.Claims.release;
import static io.lockkeeper.file.Claims.waits;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileNamesTest {

    private static List<String> nastyNames() {
        List<String> names = new ArrayList<>();
        for (char c = 0; c < 256; c++) {
            names.add(String.valueOf(c));
        }
        names.addAll(List.of(
                "..",
                "../x",
                "../../etc/passwd",
                "/etc/passwd",
                "a/b",
                "a%2fb",
                "a%2Fb",
                "%",
                "%%",
                "a\\b",
                "C:\\x",
                "con",
                "nul.txt",
                "Orders",
                "orders",
                "ORDERS",
                "\u00e9",
                "e\u0301",
                "\u1e9e",
                "\u00df",
                "ss",
                "\ud83d\udd12",
                "\ud83d\udd13",
                "\u202e",
                "\ufeff",
                " ",
                "  ",
                "a ",
                "a.",
                "-rf",
                "_store",
                "_sessions",
                "n-a",
                "h-a",
                "{x}",
                "*",
                "a\u0000b",
                "a\nb"));
        names.add("x".repeat(255));
        names.add("x".repeat(254) + "y");
        names.add("X".repeat(255));
        names.add("/".repeat(255));
        names.add("\ud83d\udd12".repeat(63) + "abc");
        names.add("x".repeat(198));
        names.add("x".repeat(199));
        return names.stream().distinct().toList();
    }

    private static Resource lock(String name) {
        return new Resource(Family.LOCK, name);
    }

    @Test
    void everyNameHasAFileOfItsOwnEvenIfCaseIsIgnored() {
        Set<String> files = new HashSet<>();
        for (String name : nastyNames()) {
            String file = FileNames.fileName(lock(name));
            assertThat(file).matches("[nh]-[a-z0-9_%-]*").hasSizeLessThanOrEqualTo(200);
            assertThat(files.add(file.toLowerCase(Locale.ROOT))).as(name).isTrue();
            assertThat(file.startsWith("h-") ? name : FileNames.name(file)).isEqualTo(name);
        }
    }

    @Test
    void otherFilesAreNotTakenForOurs() {
        assertThat(FileNames.name("README.md")).isNull();
        assertThat(FileNames.name("n-A")).isNull();
        assertThat(FileNames.name("n-a%2")).isNull();
        assertThat(FileNames.name("n-a%zz")).isNull();
        assertThat(FileNames.isOurs("README.md")).isFalse();
    }

    @Test
    void nastyNamesAreLockedListedAndStayInTheirFolder(@TempDir Path parent) throws IOException {
        Path folder = parent.resolve("locks");
        try (Store store = FileBackend.in(folder).open(new TestKeeper("A"));
                Store other = FileBackend.in(folder).open(new TestKeeper("B"))) {
            List<Claim> claims = new ArrayList<>();
            for (String name : nastyNames()) {
                Claim claim = exclusive(lock(name));
                granted(store, claim);
                claims.add(claim);
            }
            assertThat(other.list(""))
                    .extracting(state -> state.resource().name())
                    .containsAll(nastyNames());
            assertThat(other.list("x".repeat(250)))
                    .extracting(ResourceState::resource)
                    .containsExactlyInAnyOrder(lock("x".repeat(255)), lock("x".repeat(254) + "y"));
            for (Claim claim : claims) {
                waits(other, exclusive(claim.resource()));
                store.release(release(claim));
            }
            assertThat(other.list("")).isEmpty();
        }
        try (var all = Files.list(parent)) {
            assertThat(all).containsExactly(folder);
        }
        try (var all = Files.list(folder)) {
            assertThat(all.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("_store", "_sessions", "lock");
        }
    }

    @Test
    void familiesOfOneNameAreApart(@TempDir Path folder) {
        try (Store store = FileBackend.in(folder).open(new TestKeeper("A"))) {
            granted(store, exclusive(new Resource(Family.LOCK, "x")));
            granted(store, exclusive(new Resource(Family.ELECTION, "x")));
            granted(store, exclusive(segment(0)));
            granted(store, exclusive(segment(1)));
            waits(store, exclusive(segment(1)));
        }
    }

    private static Resource segment(int index) {
        return new Resource(Family.segment(index), "x");
    }
}
