package io.lockkeeper.cli;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.cli.run.GuardedCommand;
import io.lockkeeper.cli.run.Programs;
import io.lockkeeper.cli.run.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description =
                "Runs a command while holding a lock; the lock ends with the command, and the command with the lock.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        customSynopsis =
                "lockkeeper run NAME [--on URL] [--wait 30s] [--lease 30s] [--shared | --permits N/M] -- COMMAND...",
        footer = {
            "",
            "The command finds LOCKKEEPER_NAME, LOCKKEEPER_TOKEN and LOCKKEEPER_ID in its environment.",
            "",
            "Exit codes: the command's own (128 + n if signal n ended it), or",
            "  2    the command line is wrong, the store cannot do it, or the semaphore has",
            "       another number of permits",
            "  123  the lock was lost, so the command was ended",
            "  124  the wait ran out; the command was not started",
            "  125  the store cannot be used; the command was not started",
            "  126  the command is not executable",
            "  127  the command was not found"
        })
final class RunCommand implements Callable<Integer> {

    private final @Nullable List<String> command;

    @Parameters(paramLabel = "NAME", description = "The name of the lock: 1 to 255 bytes, of any characters.")
    String name;

    @Parameters(index = "1..*", hidden = true)
    @Nullable
    List<String> stray;

    @Mixin
    StoreOption store;

    @Option(names = "--wait", paramLabel = "TIME", description = "Give up after this time. Default: wait forever.")
    @Nullable
    String wait;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long the store keeps the lock if we are cut off; renewed until the end. Default: 30s.")
    String lease;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "The time between TERM and KILL when the command has to end. Default: 5s.")
    String grace;

    @Option(names = "--shared", description = "Hold it together with others that share it.")
    boolean shared;

    @Option(names = "--permits", paramLabel = "N/M", description = "Take N of the M permits of a semaphore instead.")
    @Nullable
    String permits;

    RunCommand(@Nullable List<String> command) {
        this.command = command;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (command == null || command.isEmpty() || stray != null) {
            throw new CliException(
                    ExitCode.USAGE, "Put two dashes before the command, as in: lockkeeper run " + name + " -- COMMAND");
        }
        LockRequest request = LockRequest.of(name, Durations.parse("--lease", lease), shared, permits);
        Duration limit = wait == null ? null : Durations.parse("--wait", wait);
        Duration patience = Durations.parse("--grace", grace);
        Programs.check(command.get(0));

        AtomicReference<Signals.Caught> caught = new AtomicReference<>();
        Thread waiting = Thread.currentThread();
        GuardedCommand guarded = new GuardedCommand(command, patience);
        try (Signals signals = Signals.sendTo(signal -> {
            caught.set(signal);
            waiting.interrupt();
        })) {
            return underLock(request, limit, guarded, signals);
        } catch (InterruptedException e) {
            Signals.Caught signal = caught.get();
            if (signal == null) {
                throw e;
            }
            return ExitCode.SIGNALLED + signal.number();
        } finally {
            guarded.discard();
        }
    }

    private int underLock(LockRequest request, @Nullable Duration limit, GuardedCommand guarded, Signals signals)
            throws InterruptedException {
        try (Lockkeeper keeper = store.keeper().note(program()).connect(store.url())) {
            SingleHold hold = request.acquire(keeper, limit);
            if (hold == null) {
                throw new CliException(
                        ExitCode.NOT_ACQUIRED,
                        "Somebody else has " + request + ", and the wait of " + wait + " ran out; see lockkeeper ls"
                                + store.again());
            }
            OptionalInt exitCode = guarded.run(hold, signals);
            if (exitCode.isEmpty() || hold.release() == ReleaseOutcome.NOT_HELD) {
                throw new CliException(
                        ExitCode.LOST,
                        "Lost " + request + " (token " + hold.token()
                                + ") while the command ran; somebody else may hold it now");
            }
            return exitCode.getAsInt();
        }
    }

    /** What others read about us: the program, without its arguments, which may be secret. */
    private String program() {
        Path file = command == null ? null : Path.of(command.get(0)).getFileName();
        String program = file == null ? "" : file.toString();
        return program.length() <= 60 ? program : program.substring(0, 60);
    }
}
