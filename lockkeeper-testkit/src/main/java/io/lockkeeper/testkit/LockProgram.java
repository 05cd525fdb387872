package io.lockkeeper.testkit;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.SingleHold;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A program for {@link ChildJvm} that takes and releases what its parent tells it to, one command a line. Arguments: the
 * store's URL and the lease in milliseconds. It says {@code ready} first.
 *
 * <pre>
 * acquire NAME            waits for the lock                        held TOKEN ID
 * tryAcquire NAME MS      waits for MS                              held TOKEN ID | none
 * fair NAME               waits for the fair lock                   held TOKEN ID
 * portable NAME           waits for a hold that others may release  held TOKEN ID
 * read NAME               waits for the read lock                   held TOKEN ID
 * permits NAME N M        waits for n of m permits                  held TOKEN ID
 * release                 releases what was acquired last           RELEASED | NOT_HELD | UNKNOWN
 * releaseId NAME ID       releases by id                            RELEASED | NOT_HELD | UNKNOWN
 * state                   of what was acquired last                 HELD | UNCERTAIN | LOST | RELEASED
 * count NAME FILE N       N times under the lock: adds 1 to the number in the file    done
 * churn NAME              acquires and releases forever            (nothing)
 * exit                    ends without closing anything
 * </pre>
 *
 * What fails answers {@code error} with the exception. Names must not have spaces.
 */
public final class LockProgram {

    /** How long a request may take; machines that test are busy. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final Lockkeeper keeper;
    private final Deque<SingleHold> holds = new ArrayDeque<>();

    LockProgram(Lockkeeper keeper) {
        this.keeper = keeper;
    }

    /** Starts it on the store of that URL and waits until it is ready. */
    public static ChildJvm start(String url, Duration lease) {
        return start(UnaryOperator.identity(), url, lease);
    }

    /** The same with another {@linkplain ChildJvm#start(UnaryOperator, Class, String...) command}. */
    public static ChildJvm start(UnaryOperator<List<String>> how, String url, Duration lease) {
        ChildJvm child = ChildJvm.start(how, LockProgram.class, url, Long.toString(lease.toMillis()));
        String first = child.receive();
        if (!first.equals("ready")) {
            child.close();
            throw new AssertionError("The child said '" + first + "' instead of 'ready'");
        }
        return child;
    }

    /** The token in an answer of the form {@code held TOKEN ID}. */
    public static long token(String held) {
        String[] words = held.split(" ");
        if (words.length != 3 || !words[0].equals("held")) {
            throw new AssertionError("Expected 'held TOKEN ID' but the child said: " + held);
        }
        return Long.parseLong(words[1]);
    }

    public static void main(String[] args) throws InterruptedException {
        ChildConsole console = ChildConsole.open();
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofMillis(Long.parseLong(args[1])))
                .commandTimeout(LIMIT)
                .note("child")
                .connect(args[0]);
        var program = new LockProgram(keeper);
        console.send("ready");
        while (true) {
            console.send(program.answer(console.receive()));
        }
    }

    String answer(String command) {
        try {
            return execute(command.split(" "));
        } catch (Exception e) {
            return "error " + e.toString().replace('\n', ' ');
        }
    }

    private String execute(String[] words) throws Exception {
        return switch (words[0]) {
            case "acquire" -> held(keeper.lock(words[1]).acquire());
            case "tryAcquire" -> held(keeper.lock(words[1]).tryAcquire(Duration.ofMillis(number(words[2]))));
            case "fair" -> held(keeper.fairLock(words[1]).acquire());
            case "portable" -> held(keeper.lock(words[1]).portable().acquire());
            case "read" -> held(keeper.readWriteLock(words[1]).readLock().acquire());
            case "permits" -> held(keeper.semaphore(words[1], number(words[3])).acquire(number(words[2])));
            case "release" -> holds.removeLast().release().name();
            case "releaseId" -> keeper.release(words[1], words[2]).name();
            case "state" -> holds.getLast().state().name();
            case "count" -> count(keeper.lock(words[1]), Path.of(words[2]), number(words[3]));
            case "churn" -> churn(keeper.lock(words[1]));
            case "exit" -> exit();
            default -> throw new LockkeeperException("No such command: " + words[0]);
        };
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static String exit() {
        Runtime.getRuntime().halt(0);
        return "";
    }

    private String held(@Nullable SingleHold hold) {
        if (hold == null) {
            return "none";
        }
        holds.addLast(hold);
        return "held " + hold.token() + " " + hold.id();
    }

    private static String count(Acquirable<? extends SingleHold> lock, Path file, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            try (SingleHold hold = lock.acquire()) {
                int number = Integer.parseInt(Files.readString(file, StandardCharsets.US_ASCII));
                Files.writeString(file, Integer.toString(number + 1), StandardCharsets.US_ASCII);
            }
        }
        return "done";
    }

    private static String churn(Acquirable<? extends SingleHold> lock) throws InterruptedException {
        while (true) {
            lock.acquire().close();
        }
    }
}
