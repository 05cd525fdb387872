package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two copies of the library in one JVM, which share nothing but the folder. */
class LoadersTest {

    @TempDir
    Path folder;

    @TempDir
    Path shared;

    @Test
    void modesCountAcrossLoaders() throws Exception {
        try (OtherLoader other = new OtherLoader(folder);
                StoreProgram here = new StoreProgram(folder.toString())) {
            here.apply("try s a");
            assertThat(other.apply("try s a")).isNotEqualTo("wait");
            assertThat(other.apply("inspect a")).isEqualTo("2");
            here.apply("try 2/3 sem");
            assertThat(other.apply("try 2/3 sem")).isEqualTo("wait");
            assertThat(other.apply("try 1/3 sem")).isNotEqualTo("wait");
            here.close();
            assertThat(other.apply("inspect a")).isEqualTo("1");
            assertThat(other.apply("renew a")).isEqualTo("true");
        }
    }

    @Test
    void keepersAndLoadersCountExactly() throws Exception {
        Files.writeString(shared.resolve("count"), "0");
        int times = 60;
        try (OtherLoader other = new OtherLoader(folder);
                StoreProgram here = new StoreProgram(folder.toString());
                StoreProgram second = new StoreProgram(folder.toString())) {
            List<UnaryOperator<String>> all = List.of(other, other, here, here, second);
            List<CompletableFuture<String>> counting = all.stream()
                    .map(one -> CompletableFuture.supplyAsync(
                            () -> one.apply("count n " + shared + " " + times), work -> new Thread(work).start()))
                    .toList();
            counting.forEach(one -> assertThat(one.join()).isEqualTo("done"));
            assertThat(Files.readString(shared.resolve("count"))).isEqualTo(String.valueOf(all.size() * times));
            assertThat(Files.readAllLines(shared.resolve("tokens")).stream().map(Long::valueOf))
                    .hasSize(all.size() * times)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }
}
