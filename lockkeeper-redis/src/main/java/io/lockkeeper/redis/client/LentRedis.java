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
    private final Tenancy tenancy = new Tenancy();

    public LentRedis(ConnectionLender lender) {
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
        try (BorrowedConnection line = lender.borrow(until)) {
            return question.over(line);
        } catch (RuntimeException e) {
            throw Trouble.asking(lender.name(), e);
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
                outcomes[i] = Trouble.asking(lender.name(), e);
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
                listener.refused(Trouble.asking(lender.name(), why));
            }
        });
    }

    @Override
    public Duration uptime(Duration limit) {
        return (Duration) demand(limit, line -> tenancy.of(Server.info(line, "server", "replication")));
    }

    @Override
    public List<ServerInfo> check(Duration limit) {
        return List.of((ServerInfo) demand(limit, line -> ServerRequirements.check(line, lender.name(), false)));
    }

    @Override
    public String describe() {
        return "redis, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
