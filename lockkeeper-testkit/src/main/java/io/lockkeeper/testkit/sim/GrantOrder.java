package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order of grants as their receivers see it, whatever store they come from: tokens are unique, and a claim that arrived after
 * another one's answer had come gets a greater token.
 */
final class GrantOrder {

    private final Map<String, Long> askedAt = new HashMap<>();
    /** The tokens that a store gave to a claim. */
    private final Map<String, Block> blocks = new HashMap<>();

    private final Map<Resource, Map<Long, Grant>> owners = new HashMap<>();
    /** For each resource, when an answer came, and the greatest token that any answer had brought by then. */
    private final Map<Resource, TreeMap<Long, Long>> known = new HashMap<>();

    void asked(Claim claim, long now) {
        askedAt.putIfAbsent(claim.id(), now);
    }

    /** A store gave a block of tokens. */
    void granted(Claim claim, Answer.Granted granted) {
        blocks.merge(claim.id(), new Block(granted.token(), granted.token() + granted.tokens()), Block::with);
    }

    /** The first holder of a grant has it. */
    void begun(EngineHold holding, long now) {
        Grant grant = holding.grant();
        TreeMap<Long, Long> answers = known.computeIfAbsent(holding.resource(), r -> new TreeMap<>());
        long asked = askedAt.getOrDefault(grant.id(), now);
        Map.Entry<Long, Long> before = answers.lowerEntry(asked);
        if (before != null && before.getValue() >= holding.token()) {
            throw new Violation(
                    "I1",
                    grant.id() + " asked for " + holding.resource() + " after token " + before.getValue()
                            + " was known, and got token " + holding.token());
        }
        Map.Entry<Long, Long> last = answers.lastEntry();
        answers.put(now, Math.max(holding.token(), last == null ? Long.MIN_VALUE : last.getValue()));
    }

    /** Somebody has a token; those who share a grant share its token. */
    void served(EngineHold holding) {
        Grant grant = holding.grant();
        Block block = blocks.get(grant.id());
        if (block != null && (holding.token() < block.first || holding.token() >= block.end)) {
            throw new Violation(
                    "I1",
                    holding.id() + " has token " + holding.token() + " of " + holding.resource()
                            + ", which the store did not give to this claim");
        }
        Grant other =
                owners.computeIfAbsent(holding.resource(), r -> new HashMap<>()).putIfAbsent(holding.token(), grant);
        if (other != null && other != grant) {
            throw new Violation(
                    "I1",
                    "token " + holding.token() + " of " + holding.resource() + " was given to " + other.id()
                            + " and to " + grant.id());
        }
    }

    private record Block(long first, long end) {

        /** A claim that a store forgot may be granted again. */
        Block with(Block other) {
            return new Block(Math.min(first, other.first), Math.max(end, other.end));
        }
    }
}
