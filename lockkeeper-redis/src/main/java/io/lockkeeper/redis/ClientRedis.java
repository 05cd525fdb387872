package io.lockkeeper.redis;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server or Sentinel group, through a Jedis client that the application made and will close. For what is not kept, see
 * {@link JedisAdapter}.
 */
final class ClientRedis implements Redis {

    static final String NAME = "of the given Jedis client";

    private final Lender lender;
    private final Tenancy tenancy = new Tenancy();

    /** Lends connections of the application's client. */
    interface Lender {

        /** @throws RuntimeException of Jedis, if there is none; nothing was sent then */
        ConnectionLine borrow(Deadline until);
    }

    ClientRedis(Lender lender) {
        this.lender = lender;
    }

    private interface Question {
        @Nullable
        Object over(Line line);
    }

    private @Nullable Object ask(Duration limit, Question question) {
        return ask(Deadline.in(limit), question);
    }

    private @Nullable Object ask(Deadline until, Question question) {
        try (ConnectionLine line = borrow(lender, until)) {
            return question.over(line);
        } catch (LockkeeperException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Trouble.asking(NAME, e);
        }
    }

    /** @throws StoreUnavailableException if no connection can be had */
    static ConnectionLine borrow(Lender lender, Deadline until) {
        try {
            return lender.borrow(until);
        } catch (RuntimeException e) {
            Throwable inner = e.getCause() == null ? e : e.getCause();
            throw new StoreUnavailableException(
                    "The given Jedis client has no connection for a lock's request (" + e.getMessage()
                            + (inner == e ? "" : ": " + inner.getMessage())
                            + "); nothing was sent; check that the server runs and that the client's pool is large enough",
                    e);
        }
    }

    private Object demand(Duration limit, Question question) {
        Object answer = ask(limit, question);
        if (answer == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return answer;
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        return ask(limit, line -> Exchange.run(line, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        return (Replicated) demand(limit, line -> Exchange.run(line, call, replicas, false, until));
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        @Nullable Object[] outcomes;
        try {
            outcomes = (@Nullable Object[]) demand(limit, line -> Exchange.runAll(line, calls));
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
        ask(limit, line -> Server.scan(line, pattern, keys));
        return keys;
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ClientEar.open(lender, channel, listener);
    }

    @Override
    public Duration uptime(Duration limit) {
        return (Duration) demand(limit, line -> tenancy.of(Server.info(line, "server", "replication")));
    }

    @Override
    public void check(Duration limit) {
        ask(limit, line -> Fitness.check(line, NAME, false));
    }

    @Override
    public String describe() {
        return "redis, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
