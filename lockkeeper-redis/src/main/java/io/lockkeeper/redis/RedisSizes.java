package io.lockkeeper.redis;

import static io.lockkeeper.redis.Keys.bytes;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SizeStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sizes of a store's semaphores; what they keep is said in {@code size.lua}. */
final class RedisSizes implements SizeStore {

    private final RedisStore store;

    RedisSizes(RedisStore store) {
        this.store = store;
    }

    @Override
    public int size(Resource semaphore) {
        return run(semaphore, "get").permits();
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        SemaphoreSize.check(semaphore, permits);
        return run(semaphore, "try", operation, Integer.toString(permits)).counted();
    }

    @Override
    public void set(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        run(semaphore, "set", Integer.toString(permits));
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        Answer answer = run(semaphore, "add", operation, Integer.toString(change), Integer.toString(ifNone));
        if (!answer.counted()) {
            throw SemaphoreSize.refusal(semaphore, answer.permits(), change);
        }
        return answer.permits();
    }

    @Override
    public void clear(Resource semaphore) {
        run(semaphore, "clear");
    }

    private record Answer(int permits, boolean counted) {}

    private Answer run(Resource semaphore, String what, String... arguments) {
        List<byte[]> all = new ArrayList<>(arguments.length + 3);
        all.add(store.channels());
        all.add(store.counts());
        all.add(bytes(what));
        for (String argument : arguments) {
            all.add(bytes(argument));
        }
        List<@Nullable Object> answer =
                ScriptReplies.list(store.run(Scripts.SIZE, store.keys().line(semaphore), all));
        String newer = ScriptReplies.text(answer.get(0));
        if (!newer.isEmpty()) {
            throw new ClaimRefusedException(StoredFormat.newer(semaphore, newer));
        }
        return new Answer((int) ScriptReplies.number(answer.get(1)), ScriptReplies.number(answer.get(2)) == 1);
    }
}
