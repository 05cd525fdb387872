package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
@Timeout(300)
class LsCommandTest {

    @TempDir
    Path folder;

    @Test
    void showsWhoHoldsWhat() throws Exception {
        Path begun = folder.resolve("begun");
        String store = "file:" + folder.resolve("locks");
        Cli holder = Cli.start(
                folder,
                "run",
                "orders/42",
                "--on",
                store,
                "--",
                "sh",
                "-c",
                "echo $LOCKKEEPER_TOKEN >" + begun + "; exec sleep 600");
        String token = holder.line(begun);

        Cli table = Cli.start(folder, "ls", "--on", store);
        assertThat(table.exitCode()).isZero();
        assertThat(table.out().lines()).hasSize(2);
        assertThat(table.out())
                .startsWith("FAMILY  NAME")
                .contains("orders/42", "alone", token, "sh pid " + holder.pid());

        Cli json = Cli.start(folder, "ls", "orders", "--on", store, "--json");
        assertThat(json.exitCode()).isZero();
        assertThat(json.out())
                .startsWith("[{\"family\":\"lock\",\"name\":\"orders/42\"")
                .contains("\"token\":" + token, "\"pid\":" + holder.pid())
                .endsWith("}]\n");

        Cli other = Cli.start(folder, "ls", "invoices", "--on", store);
        assertThat(other.exitCode()).isZero();
        assertThat(other.out()).isEqualTo("Nothing is held whose name begins with 'invoices'.\n");

        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(143);
        Cli empty = Cli.start(folder, "ls", "--on", store, "--json");
        assertThat(empty.exitCode()).isZero();
        assertThat(empty.out()).isEqualTo("[]\n");
    }
}
