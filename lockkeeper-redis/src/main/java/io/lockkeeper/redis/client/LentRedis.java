package io.lockkeeper.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All keys on one server, over connections of a client that the application made and will close. */
public final class LentRedis implements Redis {

    private final ConnectionLender lender;
    private final PrimaryUptime primaryUptime = new PrimaryUptime();

    public LentRedis(ConnectionLender lender) {
        this.lender = lender;
    }

    private interface Question {
        @Nullable
        Object over(ServerConnection connection);
    }

    private @Nullable Object ask(Duration timeout, Question question) {
        return ask(Deadline.in(timeout), question);
    }

    private @Nullable Object ask(Deadline until, Question question) {
        try (BorrowedConnection connection = lender.borrow(until)) {
            return question.over(connection);
        } catch (RuntimeException e) {
            throw RedisErrors.asking(lender.name(), e);
        }
    }

    private Object demand(Duration timeout, Question question) {
        Object answer = ask(timeout, question);
        if (answer == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return answer;
    }

    @Override
    public @Nullable Object run(Call call, Duration timeout) {
        return ask(timeout, connection -> ScriptRunner.run(connection, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        return (Replicated) demand(timeout, connection -> ScriptRunner.run(connection, call, replicas, false, until));
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration timeout) {
        @Nullable Object[] outcomes;
        try {
            outcomes = (@Nullable Object[]) demand(timeout, connection -> ScriptRunner.runAll(connection, calls));
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof RequestException e) {
                outcomes[i] = RedisErrors.asking(lender.name(), e);
            }
        }
        return Arrays.asList(outcomes);
    }

    @Override
    public String node(byte[] key) {
        return "";
    }

    @Override
    public boolean mixesKeys() {
        return true;
    }

    @Override
    public boolean countsListeners() {
        return true;
    }

    @Override
    public List<byte[]> scan(byte[] pattern, Duration timeout) {
        List<byte[]> keys = new ArrayList<>();
        ask(timeout, connection -> ServerCommands.scan(connection, pattern, keys));
        return keys;
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return subscribe(lender, channel, listener);
    }

    /** Subscribes by the application's client; a refusal reaches the listener as a sentence for people. */
    static Subscription subscribe(ConnectionLender lender, byte[] channel, Listener listener) {
        return lender.subscribe(channel, new Listener() {
            @Override
            public void message(byte[] payload) {
                listener.message(payload);
            }

            @Override
            public void subscribed() {
                listener.subscribed();
            }

            @Override
            public void refused(RuntimeException why) {
                listener.refused(RedisErrors.asking(lender.name(), why));
            }
        });
    }

    @Override
    public Duration uptime(Duration timeout) {
        return (Duration) demand(
                timeout, connection -> primaryUptime.of(ServerCommands.info(connection, "server", "replication")));
    }

    @Override
    public List<ServerInfo> check(Duration timeout) {
        return List.of(
                (ServerInfo) demand(timeout, connection -> ServerRequirements.check(connection, lender.name(), false)));
    }

    @Override
    public String describe() {
        return "redis, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
