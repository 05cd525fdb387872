package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Access;
import io.lockkeeper.faults.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the registers let through, judged anew from their log. F must never have admitted a smaller token after a greater one, nor
 * two holds with one token, nor a write over a value that its writer had not read. U checks nothing: what it lost is
 * the damage that a program without fencing has to expect.
 */
final class RegisterCheck {

    private static final class Cell {
        long token = Long.MIN_VALUE;
        String holdId = "";
    }

    private final Map<String, Cell> fenced = new HashMap<>();
    private final Map<String, Long> plain = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private long refused;
    private long plainWrites;

    RegisterCheck(History history) {
        history.accesses().forEach(this::take);
    }

    private void take(Access access) {
        if (access.kind() == Access.Kind.PLAIN_WRITE) {
            plainWrites++;
            plain.put(access.name(), access.base() + 1);
        } else if (!access.admitted()) {
            refused++;
        } else {
            admitted(access);
        }
    }

    private void admitted(Access access) {
        Cell cell = fenced.computeIfAbsent(access.name(), name -> new Cell());
        boolean sameHold = access.holdId().equals(cell.holdId);
        if (access.token() < cell.token || (access.token() == cell.token && !sameHold)) {
            findings.add(new Finding(
                    Rule.STALE_ADMITTED, access + " after token " + cell.token + " of hold " + cell.holdId));
        }
        if (access.token() >= cell.token) {
            cell.token = access.token();
            cell.holdId = access.holdId();
        }
        if (access.kind() == Access.Kind.FENCED_WRITE && access.base() != access.before()) {
            findings.add(new Finding(Rule.LOST_ON_F, access.toString()));
        }
    }

    List<Finding> findings() {
        return findings;
    }

    long refused() {
        return refused;
    }

    long plainWrites() {
        return plainWrites;
    }

    /** Each write adds one; what is missing at the end was overwritten. */
    long lostUpdates() {
        return plainWrites - plain.values().stream().mapToLong(Long::longValue).sum();
    }
}
