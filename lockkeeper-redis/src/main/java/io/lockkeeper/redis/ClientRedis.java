package io.lockkeeper.redis;

import io.lockkeeper.LockkeeperException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * A server or Sentinel group, through a Jedis client that the application made and will close.
 *
 * <p>The limit of a request is not kept: how long a request may take, how long to wait for a connection, and how many there
 * are, is for the client's own settings to say. What it would repeat by itself is not left to it, see {@link PipelineLine}.
 */
final class ClientRedis implements Redis {

    static final String NAME = "of the given Jedis client";

    private final UnifiedJedis client;
    private final Tenancy tenancy = new Tenancy();

    ClientRedis(UnifiedJedis client) {
        this.client = client;
    }

    private interface Question {
        @Nullable
        Object over(Line line);
    }

    private @Nullable Object ask(Question question) {
        try (PipelineLine line = new PipelineLine(client)) {
            return question.over(line);
        } catch (LockkeeperException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Trouble.asking(NAME, JedisTerms.translated(e));
        }
    }

    private Object demand(Question question) {
        Object answer = ask(question);
        if (answer == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return answer;
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        return ask(line -> Exchange.run(line, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        return (Replicated) demand(line -> Exchange.run(line, call, replicas, false, until));
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        @Nullable Object[] outcomes;
        try {
            outcomes = (@Nullable Object[]) demand(line -> Exchange.runAll(line, calls));
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof ExchangeException e) {
                outcomes[i] = Trouble.asking(NAME, e);
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
    public List<byte[]> scan(byte[] pattern, Duration limit) {
        List<byte[]> keys = new ArrayList<>();
        ask(line -> Server.scan(line, pattern, keys));
        return keys;
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ClientEar.open(client, channel, listener);
    }

    @Override
    public Duration uptime(Duration limit) {
        return (Duration) demand(line -> tenancy.of(Server.info(line, "server", "replication")));
    }

    @Override
    public void check(Duration limit) {
        ask(line -> Fitness.check(line, NAME, false));
    }

    @Override
    public String describe() {
        return "redis, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
