package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Life;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nobody waits forever, nobody waits much longer than asked to, nobody loses a lock without being notified. */
final class Waits {

    /** A call may exceed its limit by one request to the store; the rest is for a busy machine. */
    private static final long LENIENCE = 10_000_000_000L;

    private Waits() {}

    static List<Finding> check(History history) {
        Map<String, Life> lives = new HashMap<>();
        history.lives().forEach(life -> lives.put(life.client(), life));
        List<Finding> findings = new ArrayList<>();
        for (Life life : history.lives()) {
            if (life.end() == Life.End.DIED) {
                findings.add(new Finding(Rule.CLIENT_DIED, "client " + life.client()));
            }
        }
        for (Call call : history.calls()) {
            check(
                    call,
                    lives.getOrDefault(call.client(), new Life(call.client(), Life.End.KILLED, List.of())),
                    findings);
        }
        for (String name : history.stuck()) {
            findings.add(new Finding(Rule.STUCK, name + " cannot be acquired"));
        }
        return findings;
    }

    private static void check(Call call, Life life, List<Finding> findings) {
        boolean lived = life.end() == Life.End.ORDERLY || life.end() == Life.End.HUNG;
        if (call.answer() instanceof Answer.Open) {
            if (lived) {
                findings.add(new Finding(Rule.HUNG, call.toString()));
            }
            return;
        }
        if (call.answer() instanceof Answer.Granted granted && granted.seenLost() && !granted.told() && lived) {
            findings.add(new Finding(Rule.UNTOLD, call.toString()));
        }
        long answered = answered(call.answer());
        boolean stopped = life.stops().stream().anyMatch(stop -> stop.meets(call.asked(), answered));
        if (call.limit() != Call.UNTIMED && !stopped && answered - call.asked() > call.limit() + LENIENCE) {
            long late = (answered - call.asked() - call.limit()) / 1_000_000;
            findings.add(new Finding(Rule.LATE, call + " was answered " + late + " ms after its limit"));
        }
    }

    private static long answered(Answer answer) {
        if (answer instanceof Answer.Granted granted) {
            return granted.at();
        }
        if (answer instanceof Answer.Nothing nothing) {
            return nothing.at();
        }
        return ((Answer.Failed) answer).at();
    }
}
