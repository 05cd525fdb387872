package io.lockkeeper.testkit.sim;

/** A promise that was broken in a run. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String rule;

    Violation(String rule, String what) {
        super(rule + ": " + what);
        this.rule = rule;
    }

    /** The invariant, such as I3. */
    public String rule() {
        return rule;
    }
}
