package io.lockkeeper.faults.check;

import java.util.List;

/** What a check of a whole history came to. */
public record Verdict(Figures figures, List<Finding> findings) {

    public Verdict {
        findings = List.copyOf(findings);
    }

    public long count(Rule rule) {
        return findings.stream().filter(finding -> finding.rule() == rule).count();
    }

    /** Whether a promise was broken. */
    public boolean isBroken() {
        return findings.stream().anyMatch(finding -> finding.rule().isBroken());
    }
}
