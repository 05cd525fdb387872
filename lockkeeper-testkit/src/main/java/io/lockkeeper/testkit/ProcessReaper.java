package io.lockkeeper.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends processes when this JVM ends, however it ends. A tiny {@code sh} reads process ids from a pipe; when the pipe
 * closes, also because this JVM was killed, it kills those that are left, even stopped ones, and removes their folders.
 *
 * <p>Invariant: an id is on the shell's list only while its process is not yet reaped by this JVM, so that no foreign
 * process that got the same number is ever killed, unless this JVM dies in between.
 */
public final class ProcessReaper {

    private static final String SCRIPT = """
            trap '' INT TERM HUP
            pids=' '
            folders=
            while read -r op what; do
              case $op in
                +) case $pids in *" $what "*) ;; *) pids="$pids$what " ;; esac ;;
                -) case $pids in *" $what "*) pids="${pids%% $what *} ${pids#* $what }" ;; esac ;;
                f) folders="$folders$what
            " ;;
              esac
            done
            for pid in $pids; do kill -KILL "$pid"; done
            IFS='
            '
            for folder in $folders; do rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }; done
            """;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Writer PIPE = start();

    private ProcessReaper() {}

    /** The process ends with this JVM at the latest. */
    public static <P extends Process> P watch(P process) {
        tell("+ " + process.pid());
        process.onExit().thenRun(() -> tell("- " + process.pid()));
        return process;
    }

    /** A stopped process that somebody else started ends with this JVM, unless it is {@linkplain #release released}. */
    static void watchStopped(ProcessHandle process) {
        tell("+ " + process.pid());
    }

    /** The process may outlive this JVM again. To be called before it goes on, since then it may end and its number be reused. */
    static void release(ProcessHandle process) {
        tell("- " + process.pid());
    }

    /** The folder is removed when this JVM ends, after the processes; one that is already gone does no harm. */
    public static void deleteAtEnd(Path folder) {
        tell("f " + folder);
    }

    private static void tell(String line) {
        LOCK.lock();
        try {
            PIPE.write(line + "\n");
            PIPE.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The process reaper is gone", e);
        } finally {
            LOCK.unlock();
        }
    }

    private static Writer start() {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return shell.outputWriter(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start sh, which tests need to end their processes with them", e);
        }
    }
}
