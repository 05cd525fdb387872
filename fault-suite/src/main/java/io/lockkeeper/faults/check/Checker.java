package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import java.util.ArrayList;
import java.util.List;

/** Judges a history. The same history gets the same verdict. */
public final class Checker {

    private Checker() {}

    public static Verdict check(History history) {
        Beliefs beliefs = new Beliefs(history);
        RegisterCheck registers = new RegisterCheck(history);
        Recovery recovery = new Recovery(history);
        List<Finding> findings = new ArrayList<>();
        findings.addAll(registers.findings());
        findings.addAll(Tokens.check(history));
        findings.addAll(beliefs.findings());
        findings.addAll(Waits.check(history));
        findings.addAll(recovery.findings());

        long acquired = 0;
        long nothing = 0;
        long failed = 0;
        long lost = 0;
        for (Call call : history.calls()) {
            if (call.answer() instanceof Answer.Granted granted) {
                acquired++;
                lost += granted.told() ? 1 : 0;
            }
            nothing += call.answer() instanceof Answer.Nothing ? 1 : 0;
            failed += call.answer() instanceof Answer.Failed ? 1 : 0;
        }
        return new Verdict(
                new Figures(
                        acquired,
                        nothing,
                        failed,
                        lost,
                        registers.refused(),
                        registers.plainWrites(),
                        registers.lostUpdates(),
                        beliefs.longest(),
                        recovery.times()),
                findings);
    }
}
