package io.lockkeeper.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small shell beside the command that outlives this process for as long as it takes to end the command.
 *
 * <p>Invariant: while a command runs there is a process that knows its group and sees the end of this one. What would
 * break it: this process starts the command and is killed before the guardian has heard of the group. So the command
 * begins behind a gate that only the guardian opens, after it knows the group, and that closes for good when either of
 * the two is gone.
 */
final class Guardian implements AutoCloseable {

    private final Process shell;
    private final OutputStream words;
    private final BufferedReader replies;
    private final String gate;
    private final ReentrantLock turn = new ReentrantLock();

    private Guardian(Process shell, OutputStream words, BufferedReader replies, String gate) {
        this.shell = shell;
        this.words = words;
        this.replies = replies;
        this.gate = gate;
    }

    /** @param grace between TERM and KILL, if this process is gone */
    static Guardian start(Duration grace) {
        String script;
        try (InputStream text = Guardian.class.getResourceAsStream("guardian.sh")) {
            if (text == null) {
                throw new IllegalStateException("guardian.sh is missing from the jar");
            }
            script = new String(text.readAllBytes(), UTF_8);
            String tenths = Long.toString(grace.plusMillis(99).toMillis() / 100);
            // In a session of its own, so that what is sent to lockkeeper's group does not end its guardian too.
            Process shell = new ProcessBuilder(Session.lead("sh", "-c", script, "lockkeeper-guardian", tenths))
                    .redirectError(Redirect.DISCARD)
                    .start();
            BufferedReader replies = shell.inputReader(UTF_8);
            String gate = replies.readLine();
            if (gate == null) {
                throw new CliException(
                        ExitCode.UNAVAILABLE,
                        "The command cannot be guarded: no named pipe could be made in "
                                + System.getProperty("java.io.tmpdir") + "; name another folder with TMPDIR");
            }
            return new Guardian(shell, shell.getOutputStream(), replies, gate);
        } catch (IOException e) {
            throw new CliException(ExitCode.UNAVAILABLE, "The command cannot be guarded: " + e.getMessage());
        }
    }

    /** The path of the named pipe that the command has to read a line from before it begins. */
    String gate() {
        return gate;
    }

    /** Guards that process group from now on. */
    void group(long id) {
        say("group " + id);
    }

    /** Lets the command begin. */
    void open() {
        say("open");
    }

    /** Sends a signal, by its name without SIG, to every process of the group. */
    void signal(String name) {
        say(name);
    }

    /** Whether a process of the group is left, be it a zombie. */
    boolean groupExists() {
        turn.lock();
        try {
            say("ask");
            return "alive".equals(replies.readLine());
        } catch (IOException e) {
            return false;
        } finally {
            turn.unlock();
        }
    }

    /** Lets the guardian go; what is left of the group is left alone. */
    @Override
    public void close() {
        say("leave");
        try {
            words.close();
        } catch (IOException e) {
            shell.destroy();
        }
    }

    private void say(String line) {
        turn.lock();
        try {
            words.write((line + "\n").getBytes(UTF_8));
            words.flush();
        } catch (IOException e) {
            // The guardian is gone, so somebody has killed it; the command goes on under the lock all the same.
        } finally {
            turn.unlock();
        }
    }
}
