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
import java.util.List;
import java.util.Map;
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
 * count NAME DIR n    n times: adds 1 to DIR/count and the token to DIR/tokens, in a way that needs the lock
 * </pre>
 */
public final class StoreProgram implements UnaryOperator<String>, AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Store store;
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    public StoreProgram(String folder) {
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
        return new Claim(id, lock(name), wanted, LIMIT, false, 1, queueing, false, holder, LIMIT);
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
                    LockSupport.parkNanos(wait.askAgainIn().toNanos());
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
