package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.LatchStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latches of a store; what they keep is said in {@code latch.lua}. */
final class RedisLatches implements LatchStore {

    private final RedisStore store;

    RedisLatches(RedisStore store) {
        this.store = store;
    }

    @Override
    public State state(Resource latch, boolean wake) {
        List<@Nullable Object> answer = ScriptReplies.list(run(latch, "state", wake ? store.keeperId() : ""));
        return new State(ScriptReplies.number(answer.get(0)), (int) ScriptReplies.number(answer.get(1)));
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + latch + " cannot count down from " + count + "; give it at least 1");
        }
        return ScriptReplies.number(run(latch, "set", operation, Integer.toString(count))) == 1;
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return ScriptReplies.number(run(latch, "countDown", Long.toString(generation), operation)) == 1;
    }

    @Override
    public void delete(Resource latch, long generation) {
        run(latch, "delete", Long.toString(generation));
    }

    private Object run(Resource latch, String what, String... arguments) {
        List<byte[]> all = new ArrayList<>(arguments.length + 2);
        all.add(bytes(what));
        all.add(store.channels());
        for (String argument : arguments) {
            all.add(bytes(argument));
        }
        Object answer = store.run(Scripts.LATCH, store.keys().latch(latch), all);
        if (answer instanceof List<?> list && list.get(0) instanceof byte[]) {
            throw new ClaimRefusedException(StoredFormat.newer(latch, ScriptReplies.text(list.get(1))));
        }
        return answer;
    }
}
