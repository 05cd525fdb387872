package io.lockkeeper.redis;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what {@code inspect.lua} answers. */
final class InspectReply {

    private InspectReply() {}

    static Optional<ResourceState> read(Resource resource, @Nullable Object reply) {
        List<@Nullable Object> answer = ScriptReplies.list(reply);
        String newer = ScriptReplies.text(answer.get(0));
        if (!newer.isEmpty()) {
            throw new ClaimRefusedException(StoredFormat.newer(resource, newer));
        }
        int waiting = (int) ScriptReplies.number(answer.get(1));
        int size = (int) ScriptReplies.number(answer.get(2));
        long now = ScriptReplies.number(answer.get(4));
        List<@Nullable Object> triples = ScriptReplies.list(answer.get(3));
        List<ResourceState.Grant> grants = new ArrayList<>(triples.size() / 3);
        for (int i = 0; i + 2 < triples.size(); i += 3) {
            Duration remaining = Duration.ofMillis(Math.max(0, ScriptReplies.number(triples.get(i))));
            String kind = ScriptReplies.text(triples.get(i + 1));
            String text = ScriptReplies.text(triples.get(i + 2));
            grants.add(
                    switch (kind) {
                        case "e" -> alone(text, remaining, now);
                        case "f" -> new ResourceState.Grant(HolderText.foreign(text), 0, false, 0, remaining);
                        default -> other(text, remaining, now);
                    });
        }
        return grants.isEmpty() && waiting == 0
                ? Optional.empty()
                : Optional.of(new ResourceState(resource, List.copyOf(grants), waiting, size));
    }

    /** "claim token count keeper holder". */
    private static ResourceState.Grant alone(String text, Duration remaining, long now) {
        String[] parts = text.split(" ", 5);
        long token = Long.parseLong(parts[1]);
        return new ResourceState.Grant(
                HolderText.read(parts[3], parts[4]), token, false, 0, remaining, heldFor(token, now));
    }

    /** "token count mode permits keeper holder". */
    private static ResourceState.Grant other(String text, Duration remaining, long now) {
        String[] parts = text.split(" ", 6);
        return parts.length < 6
                ? new ResourceState.Grant(HolderText.foreign(text), 0, true, 0, remaining)
                : new ResourceState.Grant(
                        HolderText.read(parts[4], parts[5]),
                        Long.parseLong(parts[0]),
                        parts[2].equals("s"),
                        Integer.parseInt(parts[3]),
                        remaining,
                        heldFor(Long.parseLong(parts[0]), now));
    }

    /** Tokens are microseconds of the server's clock, unless they are more; the time is in milliseconds. */
    private static Duration heldFor(long token, long now) {
        return Duration.ofMillis(Math.max(0, now - token / 1000));
    }
}
