package io.lockkeeper.cli.run;

import io.lockkeeper.SingleHold;
import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs only while a hold lasts.
 *
 * <p>Invariant: the hold is given back only after the last process of the command's group is gone. What would break it: a
 * command that ends and leaves a child behind that still writes. So this waits for the whole group, as flock(1) does
 * by the file descriptor that children inherit. The exception is a hold that was lost: then the group is sent TERM,
 * after a grace KILL, and until it is gone it overlaps with the next holder; only the token can tell the two apart.
 */
public final class GuardedCommand {

    /** Waits at the gate, then becomes the command. */
    private static final String GATE =
            "IFS= read -r open <\"$1\" || exit " + ExitCode.UNAVAILABLE + "; shift; exec \"$@\"";

    private static final Duration GLANCE = Duration.ofMillis(10);
    private static final Duration RARELY = Duration.ofMillis(500);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final List<String> command;
    private final Duration grace;
    private final CompletableFuture<Guardian> guardian;

    /** Prepares it; the guardian starts beside whatever the caller does next. Call {@link #discard} if it is not run. */
    public GuardedCommand(List<String> command, Duration grace) {
        this.command = List.copyOf(command);
        this.grace = grace;
        guardian = new CompletableFuture<>();
        Thread starter =
                new Thread(() -> guardian.completeAsync(() -> Guardian.start(grace), Runnable::run), "guardian");
        starter.setDaemon(true);
        starter.start();
    }

    /** Lets the guardian go without having run the command. */
    public void discard() {
        guardian.thenAccept(Guardian::close);
    }

    /**
     * Runs it to its end.
     *
     * @return its exit code, 128 + n if signal n ended it; empty if the hold was lost and the command ended for it
     */
    public OptionalInt run(SingleHold hold, Signals signals) throws InterruptedException {
        try (Guardian guard = guardian()) {
            CompletableFuture<?> lost = hold.lost();
            Process process = start(hold, guard.gate());
            guard.group(process.pid());
            signals.passTo(signal -> guard.signal(signal.name()));
            if (Thread.interrupted()) { // A signal came while it was not yet the command's.
                throw new InterruptedException();
            }
            guard.open();
            return follow(process, lost, guard);
        }
    }

    private OptionalInt follow(Process process, CompletableFuture<?> lost, Guardian guard) throws InterruptedException {
        await(CompletableFuture.anyOf(process.onExit(), lost), null);
        // What is left may run for hours: look at it less and less often.
        for (Duration glance = GLANCE; !lost.isDone() && left(process, guard); glance = later(glance)) {
            await(lost, glance);
        }
        if (lost.isDone()) {
            end(process, guard);
            return OptionalInt.empty();
        }
        return OptionalInt.of(process.exitValue());
    }

    private static Duration later(Duration glance) {
        return glance.compareTo(RARELY) < 0 ? glance.multipliedBy(2) : glance;
    }

    private void end(Process process, Guardian guard) {
        guard.signal("TERM");
        guard.signal("CONT"); // A stopped process heeds TERM only once it goes on.
        awaitEnd(process, guard, grace);
        guard.signal("KILL");
        awaitEnd(process, guard, AFTER_KILL);
    }

    private static void awaitEnd(Process process, Guardian guard, Duration limit) {
        long begin = System.nanoTime();
        while (left(process, guard) && System.nanoTime() - begin < limit.toNanos()) {
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }

    private static boolean left(Process process, Guardian guard) {
        return process.isAlive() || (guard.groupExists() && !Zombies.areAllOf(process.pid()));
    }

    private Process start(SingleHold hold, String gate) {
        List<String> line = Session.lead("sh", "-c", GATE, "lockkeeper", gate);
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        Map<String, String> environment = builder.environment();
        environment.put("LOCKKEEPER_NAME", hold.name());
        environment.put("LOCKKEEPER_TOKEN", Long.toString(hold.token()));
        environment.put("LOCKKEEPER_ID", hold.id());
        CommandLocale.restore(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new CliException(ExitCode.UNAVAILABLE, "The command could not be started: " + e.getMessage());
        }
    }

    private Guardian guardian() throws InterruptedException {
        try {
            return guardian.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CliException told ? told : new IllegalStateException(e.getCause());
        }
    }

    private static void await(CompletableFuture<?> event, @Nullable Duration limit) throws InterruptedException {
        try {
            if (limit == null) {
                event.get();
            } else {
                event.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            // Neither future fails; after the limit the caller looks again.
        }
    }
}
