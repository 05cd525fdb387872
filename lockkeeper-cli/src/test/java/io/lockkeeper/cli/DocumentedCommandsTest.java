package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.etcd.EtcdServer;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command lines of docs/cli.md do what stands there, typed into a shell. */
@Tag("once")
@Timeout(300)
class DocumentedCommandsTest {

    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
    private static final Pattern LINE_OF_TABLE = Pattern.compile("(?m)^\\| `flock [^|]*\\| `(lockkeeper [^`]*)`");

    @TempDir
    Path folder;

    /** The programs that the page runs under its locks. */
    @BeforeEach
    void makePrograms() throws IOException {
        for (String program : List.of("backup.sh", "read-only-job", "simulate", "command")) {
            Files.writeString(folder.resolve(program), "#!/bin/sh\necho \"$0 $LOCKKEEPER_NAME\"\n");
            Files.setPosixFilePermissions(folder.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.writeString(
                folder.resolve("lockkeeper"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC '-Duser.home=" + folder + "' -cp '"
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .replace("\n", File.pathSeparator)
                        + "' " + Main.class.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(folder.resolve("lockkeeper"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Stream<String> found(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE)).results().map((MatchResult match) -> match.group(1));
    }

    private String shell(String line) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        ProcessBuilder shell = new ProcessBuilder("sh", "-ec", line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        shell.environment().merge("PATH", folder.toString(), (path, here) -> here + File.pathSeparator + path);
        Process process = ProcessReaper.watch(shell.start());
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(line).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s", line, Files.readString(out))
                .isZero();
        return Files.readString(out);
    }

    @Test
    void theBlocksRun() throws Exception {
        List<String> blocks = found(SHELL).toList();
        assertThat(blocks).isNotEmpty();
        List<String> ran = new ArrayList<>();
        for (String block : blocks) {
            ran.addAll(shell(block).lines().toList());
        }
        assertThat(ran)
                .contains("./backup.sh nightly-backup", "./read-only-job report", "./simulate licences")
                .anyMatch(line -> line.startsWith("FAMILY ") || line.equals("Nothing is held."));
    }

    @Test
    void whatStandsBesideFlockRuns() throws Exception {
        List<String> lines = found(LINE_OF_TABLE).toList();
        assertThat(lines).hasSizeGreaterThan(3);
        for (String line : lines) {
            assertThat(shell(line)).as(line).endsWith("/command x\n");
        }
    }

    @Test
    @Tag("etcd")
    void theyRunOnAnEtcdServerToo() throws Exception {
        try (EtcdServer server = EtcdServer.start()) {
            String line = found(LINE_OF_TABLE).findFirst().orElseThrow().replace("run x", "run x --on " + server.url());
            assertThat(shell(line)).endsWith("/command x\n");
            assertThat(shell("lockkeeper ls --on " + server.url())).isEqualTo("Nothing is held.\n");
        }
    }

    @Test
    void theyRunOnARedisServerToo() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            String line = found(LINE_OF_TABLE).findFirst().orElseThrow().replace("run x", "run x --on " + server.url());
            assertThat(shell(line)).endsWith("/command x\n");
        }
    }
}
