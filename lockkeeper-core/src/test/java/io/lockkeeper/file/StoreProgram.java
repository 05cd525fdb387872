package io.lockkeeper.file;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A user of a store that is told in words what to do, so that it can run in another process, or in another class loader.
 *
 * <pre>
 * try x NAME          token, or "wait"; x exclusive, s shared, 2/3 permits; until the next "release NAME"
 * release NAME        RELEASED or NOT_HELD
 * renew NAME          whether it is kept
 * inspect NAME        how many hold it
 * remember NAME       makes a copy of the system properties while the file of NAME is open
 * restore             sets the system properties back to that copy
 * forget              sets the system properties back to a copy from before the store was opened
 * second COMMAND      the same by a second keeper of this process; "second close" closes it
 * again               opens the store once more, and closes that
 * other               the same by another class loader, which is not discarded
 * count NAME DIR n    n times: adds 1 to DIR/count and the token to DIR/tokens, in a way that needs the lock
 * </pre>
 */
public final class StoreProgram implements UnaryOperator<String>, AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Store store;
    private final String folder;
    private final List<ClassLoader> loaders = new ArrayList<>();
    private final Properties before = (Properties) System.getProperties().clone();
    private Properties remembered = before;
    private StoreProgram second;
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    public StoreProgram(String folder) {
        this.folder = folder;
        store = FileBackend.in(Path.of(folder)).open(new TestKeeper("program"));
    }

    /** One command a line, one answer a line; ends with its input. */
    public static void main(String[] args) throws IOException {
        StoreProgram program = new StoreProgram(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(program.apply(line));
        }
        Runtime.getRuntime().halt(0);
    }

    @Override
    public String apply(String command) {
        String[] words = command.split(" ");
        return switch (words[0]) {
            case "try" -> attempt(words[1], words[2]);
            case "release" -> release(words[1]);
            case "renew" ->
                String.valueOf(store.renew(List.of(claims.get(words[1])), LIMIT).get(0) instanceof Renewal.Kept);
            case "inspect" ->
                String.valueOf(store.inspect(lock(words[1]))
                        .map(state -> state.grants().size())
                        .orElse(0));
            case "remember" -> remember(words[1]);
            case "second" -> second(command.substring("second ".length()));
            case "restore" -> restore(remembered);
            case "forget" -> restore(before);
            case "again" -> again();
            case "other" -> other();
            case "count" -> count(words[1], Path.of(words[2]), Integer.parseInt(words[3]));
            default -> throw new IllegalArgumentException(command);
        };
    }

    private static Resource lock(String name) {
        return new Resource(name.startsWith("sem") ? Family.SEMAPHORE : Family.LOCK, name);
    }

    private static Claim claim(String mode, String name, Claim.Queueing queueing) {
        String[] permits = mode.split("/");
        Mode wanted = permits.length == 2
                ? Mode.permits(Integer.parseInt(permits[0]), Integer.parseInt(permits[1]))
                : mode.equals("s") ? Mode.SHARED : Mode.EXCLUSIVE;
        HolderInfo holder =
                new HolderInfo("program", "host", ProcessHandle.current().pid(), "");
        String id = UUID.randomUUID().toString().replace("-", "");
        return Claim.of(id, lock(name), wanted, LIMIT, holder, LIMIT).withQueueing(queueing);
    }

    private String attempt(String mode, String name) {
        Claim claim = claim(mode, name, Claim.Queueing.NEVER);
        Answer answer = store.attempt(claim);
        if (answer instanceof Answer.Granted granted) {
            claims.put(name, claim);
            return String.valueOf(granted.token());
        }
        return answer instanceof Answer.Wait ? "wait" : answer.toString();
    }

    private String remember(String name) {
        Folder.Place place = Folder.prepare(Path.of(folder), HostSystem.real()).of(lock(name));
        JvmFileLocks.Gate gate = JvmFileLocks.enter(place.gate(), Deadline.in(LIMIT));
        remembered = (Properties) System.getProperties().clone();
        gate.leave();
        return "remembered";
    }

    private String second(String command) {
        if (second == null) {
            second = new StoreProgram(folder);
        }
        if (command.equals("close")) {
            second.close();
            return "closed";
        }
        return second.apply(command);
    }

    private static String restore(Properties copy) {
        System.setProperties((Properties) copy.clone());
        return "restored";
    }

    private String again() {
        new StoreProgram(folder).close();
        return "closed";
    }

    private String other() {
        try {
            OtherLoader other = new OtherLoader(Path.of(folder));
            other.closeStore();
            loaders.add(other.loader());
            return "closed";
        } catch (Exception e) {
            return e.toString();
        }
    }

    private String release(String name) {
        Claim claim = claims.remove(name);
        return store.release(new Release(claim.resource(), claim.id(), LIMIT, false, LIMIT))
                .toString();
    }

    private String count(String name, Path folder, int times) {
        try {
            for (int i = 0; i < times; i++) {
                Claim claim = claim("x", name, Claim.Queueing.PLAIN);
                Answer answer = store.attempt(claim);
                while (answer instanceof Answer.Wait wait) {
                    LockSupport.parkNanos(wait.retryIn().toNanos());
                    answer = store.attempt(claim);
                }
                Path counter = folder.resolve("count");
                int seen = Integer.parseInt(Files.readString(counter));
                Files.writeString(
                        folder.resolve("tokens"),
                        ((Answer.Granted) answer).token() + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                Files.writeString(counter, String.valueOf(seen + 1));
                store.release(new Release(claim.resource(), claim.id(), LIMIT, false, LIMIT));
            }
            return "done";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
