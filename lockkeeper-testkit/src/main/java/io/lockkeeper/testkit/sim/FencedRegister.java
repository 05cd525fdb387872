package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import java.util.HashMap;
import java.util.Map;

/**
 * What the locks protect: a register for each resource that checks the pair of token and hold, and beside it the book of
 * what it accepted, which must never go back nor have two holders under one token.
 */
final class FencedRegister {

    private static final class Cell {
        long token = Long.MIN_VALUE;
        String holdId = "";
        final Map<Long, String> accepted = new HashMap<>();
        long newest = Long.MIN_VALUE;
    }

    private final boolean acceptsEqual;
    private final Map<Resource, Cell> cells = new HashMap<>();
    private long accepted;
    private long refused;

    FencedRegister(boolean acceptsEqual) {
        this.acceptsEqual = acceptsEqual;
    }

    /** @return whether it was accepted */
    boolean write(Resource resource, long token, String holdId) {
        Cell cell = cells.computeIfAbsent(resource, r -> new Cell());
        boolean ok = token > cell.token || (token == cell.token && (acceptsEqual || cell.holdId.equals(holdId)));
        if (!ok) {
            refused++;
            return false;
        }
        cell.token = token;
        cell.holdId = holdId;
        accepted++;
        String other = cell.accepted.putIfAbsent(token, holdId);
        if (other != null && !other.equals(holdId)) {
            throw new Violation("I2", "writes of two holders were accepted under token " + token + " of " + resource);
        }
        if (token < cell.newest) {
            throw new Violation("I2", "a write with token " + token + " was accepted after token " + cell.newest);
        }
        cell.newest = token;
        return true;
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }
}
