package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import java.util.HashMap;
import java.util.Map;

/** Tokens from a clock, but in blocks as large as wanted, for {@link PlantedBug#BLOCKS_AHEAD_OF_CLOCK}. */
final class PlantedTokens {

    private final Map<String, Answer.Granted> given = new HashMap<>();
    private long last;

    PlantedTokens copy() {
        PlantedTokens copy = new PlantedTokens();
        copy.given.putAll(given);
        copy.last = last;
        return copy;
    }

    Answer instead(Claim claim, Answer.Granted granted, long now) {
        String key = claim.id() + '/' + granted.token();
        Answer.Granted known = given.get(key);
        if (known == null) {
            long first = Math.max(last + 1, now / 1_000);
            known = new Answer.Granted(first, claim.tokens(), granted.validity());
            last = first + claim.tokens() - 1;
            given.put(key, known);
        }
        return known;
    }
}
